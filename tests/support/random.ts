// Numbers that look like chance and can be had again: the seed is printed, and TEST_SEED repeats a run or tries another.

const usual = 20_250_303;

export const seedFor = (test: string): number => {
  const seed = Number(process.env.TEST_SEED ?? usual);
  process.stdout.write(`${test}: seed ${seed}\n`);
  return seed;
};

/** Numbers from 0 up to 1, the same ones for the same seed. */
export function randomNumbers(test: string): () => number {
  let state = seedFor(test) >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
