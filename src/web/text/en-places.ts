// Words of destinations whose screens load later.

export const placeText = {
  projects: "Projects",
} as const;
