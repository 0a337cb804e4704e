// A change log in Markdown: a release is a heading of the second level, an area of it one of the third, a change a list
// item.

export type Area = { name: string; changes: readonly string[] };
export type Release = { name: string; areas: readonly Area[] };

const splitByHeading = (text: string, mark: string): { name: string; body: string }[] =>
  text
    .split(`\n${mark} `)
    .slice(1)
    .map((part) => ({ name: part.slice(0, part.indexOf("\n")).trim(), body: part.slice(part.indexOf("\n")) }));

export const parseChanges = (text: string, without: readonly string[] = []): Release[] =>
  splitByHeading(text, "##").map(({ name, body }) => ({
    name,
    areas: splitByHeading(body, "###")
      .filter((area) => !without.includes(area.name))
      .map((area) => ({
        name: area.name,
        changes: area.body
          .split("\n- ")
          .slice(1)
          .map((change) => change.replace(/\s+/g, " ").trim()),
      })),
  }));

/** The changes that contain all of the words. */
export function filterChanges(releases: readonly Release[], words: string): Release[] {
  const wanted = words.toLowerCase().split(/\s+/);
  const hasWords = (change: string): boolean => wanted.every((word) => change.toLowerCase().includes(word));
  return releases
    .map(({ name, areas }) => ({
      name,
      areas: areas
        .map((area) => ({ name: area.name, changes: area.changes.filter(hasWords) }))
        .filter(({ changes }) => changes.length > 0),
    }))
    .filter(({ areas }) => areas.length > 0);
}
