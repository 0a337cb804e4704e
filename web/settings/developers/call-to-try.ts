// A call of the log that is made again in the reference: its address names method and path, its body goes by here.

type CallToTry = { method: string; path: string; body: string | null };
let waiting: CallToTry | null = null;

export const holdCall = (call: CallToTry): void => {
  waiting = call;
};

/** The body of the call that was held for this address. */
export const findHeldBody = (method: string, path: string): string | null =>
  waiting !== null && waiting.method === method && waiting.path === path ? waiting.body : null;
