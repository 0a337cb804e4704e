/** Runs what nobody waits for once the page stands; at the latest after three seconds. */
export const whenIdle = (run: () => unknown): void =>
  void ("requestIdleCallback" in window ? requestIdleCallback(run, { timeout: 3000 }) : setTimeout(run, 1000));
