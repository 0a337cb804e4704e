// Changes that don't change a single record, and so don't wait in the write queue: planning a sprint, estimating.

let running = 0;
let finished = 0;
const waiting: (() => void)[] = [];

export async function makeOwnCall<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  running++;
  try {
    return await call();
  } finally {
    running--;
    finished++;
    if (running === 0) for (const resume of waiting.splice(0)) resume();
  }
}

/** Reads after all own calls: otherwise a change just shown would vanish for a moment. */
export async function readAfterOwnCalls<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  for (;;) {
    if (running > 0) await new Promise<void>((resolve) => waiting.push(resolve));
    const before = finished;
    const loaded = await load();
    if (running === 0 && finished === before) return loaded;
  }
}
