/**
 * Positions as near to the wanted ones as the gaps allow, in the same order: neighbors that would overlap are grouped
 * around the mean of their wanted positions (pool adjacent violators).
 */
export function placeColumn(wanted: readonly number[], gaps: readonly number[]): number[] {
  let offset = 0;
  const offsets = gaps.map((gap) => {
    offset += gap;
    return offset;
  });
  const blocks: { sum: number; count: number }[] = [];
  const mean = ({ sum, count }: { sum: number; count: number }) => sum / count;
  for (const [at, value] of wanted.entries()) {
    let block = { sum: value - (offsets[at] ?? 0), count: 1 };
    for (let last = blocks.at(-1); last !== undefined && mean(last) >= mean(block); last = blocks.at(-1)) {
      blocks.pop();
      block = { sum: block.sum + last.sum, count: block.count + last.count };
    }
    blocks.push(block);
  }
  const levels = blocks.flatMap((block) => Array.from({ length: block.count }, () => mean(block)));
  return levels.map((level, at) => level + (offsets[at] ?? 0));
}
