// Changes that don't change a single record, and so don't wait in the write queue: planning a sprint, estimating.

let underWay = 0;
let finished = 0;
const waiting: (() => void)[] = [];

export async function makeOwnCall<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  underWay++;
  try {
    return await call();
  } finally {
    underWay--;
    finished++;
    if (underWay === 0) for (const go of waiting.splice(0)) go();
  }
}

/** Reads after all own calls: otherwise a change just shown would vanish for a moment. */
export async function readAfterOwnCalls<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  for (;;) {
    if (underWay > 0) await new Promise<void>((resolve) => waiting.push(resolve));
    const before = finished;
    const loaded = await load();
    if (underWay === 0 && finished === before) return loaded;
  }
}
