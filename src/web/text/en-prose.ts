// Words the app adds to laid-out text.

export const proseText = {
  table: "Table",
  diagram: "diagram",
  done: "Done: ",
  notDone: "Not done: ",
  callouts: { note: "Note", tip: "Tip", warning: "Warning", caution: "Caution" },
} as const;
