const parts = 10;

/**
 * Calls the function after some time in which the process ran, and returns how to call that off. A timer alone also counts the
 * time in which the process was busy or stopped, and is called before the answers that arrived meanwhile.
 */
export function afterRunningTime(milliseconds: number, act: () => void): () => void {
  let left = parts;
  const timer = setInterval(() => {
    if (--left > 0) return;
    clearInterval(timer);
    act();
  }, milliseconds / parts).unref();
  return () => clearInterval(timer);
}
