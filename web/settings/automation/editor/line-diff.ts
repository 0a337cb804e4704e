// Which lines of a text are new and which are gone: the longest common list of lines stays.

export type DiffLine = { kind: "same" | "added" | "removed"; text: string };

/** More lines than rules have; beyond that everything counts as replaced. */
const maxLines = 400;

export function diffLines(before: string, after: string): DiffLine[] {
  const [old, fresh] = [before, after].map((text) => (text === "" ? [] : text.split("\n"))) as [string[], string[]];
  if (old.length > maxLines || fresh.length > maxLines)
    return [
      ...old.map((text): DiffLine => ({ kind: "removed", text })),
      ...fresh.map((text): DiffLine => ({ kind: "added", text })),
    ];
  // lengths[i][j]: how many lines old from i on and fresh from j on have in common
  const lengths = Array.from({ length: old.length + 1 }, () => new Array<number>(fresh.length + 1).fill(0));
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = fresh.length - 1; j >= 0; j--)
      (lengths[i] as number[])[j] = old[i] === fresh[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < fresh.length) {
    if (i < old.length && j < fresh.length && old[i] === fresh[j]) {
      lines.push({ kind: "same", text: old[i] as string });
      [i, j] = [i + 1, j + 1];
    } else if (j >= fresh.length || (i < old.length && at(i + 1, j) >= at(i, j + 1)))
      lines.push({ kind: "removed", text: old[i++] as string });
    else lines.push({ kind: "added", text: fresh[j++] as string });
  }
  return lines;
}
