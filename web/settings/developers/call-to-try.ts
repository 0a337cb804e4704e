// A logged call to repeat in the reference: the address contains method and path; the body is passed through this
// module.

type CallToTry = { method: string; path: string; body: string | null };
let waiting: CallToTry | null = null;

export const holdCall = (call: CallToTry): void => {
  waiting = call;
};

/** The body of the call held for this address. */
export const findHeldBody = (method: string, path: string): string | null =>
  waiting !== null && waiting.method === method && waiting.path === path ? waiting.body : null;
