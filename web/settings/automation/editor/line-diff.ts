// The added and removed lines of a text, based on the longest common subsequence.

export type DiffLine = { kind: "same" | "added" | "removed"; text: string };

/** More lines than rules have; beyond that everything counts as replaced. */
const maxLines = 400;

const splitLines = (text: string): string[] => (text === "" ? [] : text.split("\n"));

export function diffLines(before: string, after: string): DiffLine[] {
  const [old, fresh] = [splitLines(before), splitLines(after)];
  if (old.length > maxLines || fresh.length > maxLines)
    return [
      ...old.map((text): DiffLine => ({ kind: "removed", text })),
      ...fresh.map((text): DiffLine => ({ kind: "added", text })),
    ];
  // lengths[i][j]: the number of lines that old from i on and fresh from j on have in common
  const lengths = Array.from({ length: old.length + 1 }, () => new Array<number>(fresh.length + 1).fill(0));
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (const [i, line] of [...old.entries()].reverse())
    for (let j = fresh.length - 1; j >= 0; j--)
      lengths[i]?.splice(j, 1, line === fresh[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1)));
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  for (;;) {
    const [gone, added] = [old[i], fresh[j]];
    if (gone === undefined && added === undefined) return lines;
    if (gone !== undefined && gone === added) {
      lines.push({ kind: "same", text: gone });
      [i, j] = [i + 1, j + 1];
    } else if (gone !== undefined && (added === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ kind: "removed", text: gone });
      i++;
    } else if (added !== undefined) {
      lines.push({ kind: "added", text: added });
      j++;
    }
  }
}
