// Reads `text/event-stream` as it comes, whatever way it is cut.

export type StreamEvent = { event: string; data: string; id: string | undefined };

/** Feed it text; it hands over whole events, and counts comments as life. */
export function eventReader(onEvent: (event: StreamEvent) => void): (text: string) => void {
  let rest = "";
  let event = "message";
  let data: string[] = [];
  let id: string | undefined;

  function line(text: string): void {
    if (text === "") {
      if (data.length > 0) onEvent({ event, data: data.join("\n"), id });
      event = "message";
      data = [];
      id = undefined;
      return;
    }
    const [, field = "", value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(text) ?? [];
    if (field === "event") event = value;
    else if (field === "data") data.push(value);
    else if (field === "id") id = value;
  }

  return (text) => {
    const whole = rest + text;
    // A return at the very end may be the first half of a line end.
    const held = whole.endsWith("\r") ? 1 : 0;
    const lines = whole.slice(0, whole.length - held).split(/\r\n|\r|\n/);
    rest = (lines.pop() ?? "") + whole.slice(whole.length - held);
    for (const entry of lines) line(entry);
  };
}
