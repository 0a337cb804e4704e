// Reproducible random numbers: the seed is printed. Set TEST_SEED to repeat a run or to try another seed.

const usual = 20_250_303;

export const seedFor = (test: string): number => {
  const seed = Number(process.env.TEST_SEED ?? usual);
  process.stdout.write(`${test}: seed ${seed}\n`);
  return seed;
};

/** Numbers from 0 up to 1, the same for the same seed. */
export function randomNumbers(test: string): () => number {
  let state = seedFor(test) >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
