/** Runs what nobody waits for once the page stands; at the latest after three seconds. */
export const whenIdle = (run: () => unknown): void =>
  void ("requestIdleCallback" in window ? requestIdleCallback(run, { timeout: 3000 }) : setTimeout(run, 1000));

/** Loads pages one after another for later, also for a time without a connection; not for a person who saves data. */
export function preloadWhenIdle(loads: readonly (() => Promise<unknown>)[]): void {
  const { connection }: Navigator & { connection?: { saveData?: boolean } } = navigator;
  const [load, ...later] = loads;
  if (connection?.saveData === true || load === undefined) return;
  // What fails now is loaded when it is wanted.
  whenIdle(() =>
    load()
      .catch(() => undefined)
      .then(() => preloadWhenIdle(later)),
  );
}
