/** Runs low-priority work after the page has rendered, at the latest after three seconds. */
export const whenIdle = (run: () => unknown): void =>
  void ("requestIdleCallback" in window ? requestIdleCallback(run, { timeout: 3000 }) : setTimeout(run, 1000));

/** Preloads pages one after another, also for a time without a connection; skipped for people who save data. */
export function preloadWhenIdle(loads: readonly (() => Promise<unknown>)[]): void {
  const { connection }: Navigator & { connection?: { saveData?: boolean } } = navigator;
  const [load, ...later] = loads;
  if (connection?.saveData === true || load === undefined) return;
  // A failed load is repeated when the page is needed.
  whenIdle(() =>
    load()
      .catch(() => undefined)
      .then(() => preloadWhenIdle(later)),
  );
}
