import { readError, readJson } from "./call.ts";
import { callRest } from "./rest.ts";
import { getCsrfToken } from "./session.ts";

// Combines reads that start in the same tick into one call.

type Reading = { path: string; resolve(answer: Response): void; reject(error: unknown): void };
type CombinedAnswer = { status: number; headers: Record<string, string>; body: unknown };

const mostReadings = 30;
const gathering = new Map<string, Reading[]>();

/** Reads that start in the same tick are combined into one call; a single read is sent unchanged. */
export function gather(account: string, path: string): Promise<Response> {
  return new Promise((resolve, reject) => {
    const waiting = gathering.get(account) ?? [];
    if (waiting.length === 0) setTimeout(() => void sendGathered(account), 0);
    gathering.set(account, [...waiting, { path, resolve, reject }]);
  });
}

async function sendGathered(account: string): Promise<void> {
  const all = gathering.get(account) ?? [];
  gathering.delete(account);
  for (let at = 0; at < all.length; at += mostReadings) {
    const some = all.slice(at, at + mostReadings);
    const [only] = some;
    if (some.length === 1 && only !== undefined)
      callRest(account, { method: "GET", path: only.path }).then(only.resolve, only.reject);
    else void sendCombined(account, some);
  }
}

async function sendCombined(account: string, readings: readonly Reading[]): Promise<void> {
  try {
    const body = { paths: readings.map(({ path }) => `/v1${path}`) };
    const call = { method: "POST", path: "/session-api/reads", body, headers: { "X-CSRF-Token": getCsrfToken() } };
    const answers = await readJson<CombinedAnswer[]>(callRest(account, call, 3, ""));
    for (const [at, reading] of readings.entries()) {
      const combined = answers[at];
      if (combined === undefined) throw new Error("too few responses");
      const { status, headers, body: answered } = combined;
      const response = new Response(JSON.stringify(answered), { status, headers });
      if (response.ok) reading.resolve(response);
      else if ([400, 403, 404, 422].includes(status)) reading.reject(await readError(response));
      // Repeats a read that may succeed on its own, with the retries of a single call.
      else callRest(account, { method: "GET", path: reading.path }).then(reading.resolve, reading.reject);
    }
  } catch (error) {
    for (const { reject } of readings) reject(error);
  }
}
