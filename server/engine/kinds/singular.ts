/** The singular of a name: `teams` is written as `team_ids`. */
export const singular = (name: string): string =>
  name.endsWith("ies")
    ? `${name.slice(0, -3)}y`
    : name === "people"
      ? "person"
      : /(ss|sh|ch|x)es$/.test(name)
        ? name.slice(0, -2)
        : name.endsWith("s")
          ? name.slice(0, -1)
          : name;
