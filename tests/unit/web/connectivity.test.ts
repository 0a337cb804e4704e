import { afterEach, beforeEach, expect, test, vi } from "vitest";

// When a page considers itself offline: D-765.

type Connectivity = { watchConnectivity(): void; onConnectivityChange(listener: (connected: boolean) => void): void };
type Calls = { send(call: { method: string; path: string }): Promise<Response> };
/** Imported by a variable name, because browser modules need types that tests don't have. */
const loadLive = (name: string): Promise<Connectivity> => import(`../../../web/live/${name}.ts`);
const loadApi = (name: string): Promise<Calls> => import(`../../../web/api/${name}.ts`);

type Answer = (signal: AbortSignal) => Promise<Response>;

const answerAfter =
  (milliseconds: number, status = 200): Answer =>
  (signal) =>
    new Promise((resolve, reject) => {
      setTimeout(() => resolve(new Response("{}", { status })), milliseconds);
      signal.addEventListener("abort", () => reject(signal.reason));
    });
const refuse: Answer = () => Promise.reject(new TypeError("Failed to fetch"));
const never = answerAfter(3_600_000);

let [server, health]: [Answer, Answer] = [answerAfter(20), answerAfter(20)];
let page: EventTarget;
let changes: { connected: boolean; at: number }[];
let started: number;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.spyOn(AbortSignal, "timeout").mockImplementation((milliseconds) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), milliseconds);
    return controller.signal;
  });
  [server, health] = [answerAfter(20), answerAfter(20)];
  page = new EventTarget();
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  vi.stubGlobal("document", new EventTarget());
  vi.stubGlobal("navigator", { onLine: true });
  vi.stubGlobal("fetch", (path: string, { signal }: { signal: AbortSignal }) =>
    (path === "/health/live" ? health : server)(signal),
  );
  vi.resetModules();
  const { onConnectivityChange, watchConnectivity } = await loadLive("connectivity");
  watchConnectivity();
  changes = [];
  started = performance.now();
  onConnectivityChange((connected) => changes.push({ connected, at: performance.now() - started }));
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

async function call(): Promise<string> {
  const { send } = await loadApi("call");
  return send({ method: "GET", path: "/v1/requests" }).then(
    () => "answered",
    () => "failed",
  );
}

test("the browser reports a lost network: offline immediately, and back with the first response", async () => {
  health = refuse;
  page.dispatchEvent(new Event("offline"));
  expect(changes).toEqual([{ connected: false, at: 0 }]);
  await vi.advanceTimersByTimeAsync(30_000);
  health = answerAfter(20);
  page.dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(100);
  expect(changes.map(({ connected }) => connected)).toEqual([false, true]);
});

test("the browser reports a lost network, but the server is on this machine: connected again with its response", async () => {
  page.dispatchEvent(new Event("offline"));
  await vi.advanceTimersByTimeAsync(100);
  expect(changes.map(({ connected }) => connected)).toEqual([false, true]);
});

test.each([
  ["the server is gone", refuse],
  ["packets are dropped", never],
  ["a gateway responds instead of the server", answerAfter(20, 502)],
])("%s: offline within two seconds of a call, and back automatically", async (_what, answer) => {
  [server, health] = [answer, answer];
  const lost = call();
  await vi.advanceTimersByTimeAsync(2000);
  expect(changes.map(({ connected }) => connected)).toEqual([false]);
  expect(changes[0]?.at).toBeLessThan(2000);
  await vi.advanceTimersByTimeAsync(60_000);
  [server, health] = [answerAfter(20), answerAfter(20)];
  await vi.advanceTimersByTimeAsync(10_000);
  expect(changes.map(({ connected }) => connected)).toEqual([false, true]);
  expect(await lost).toBe("failed");
});

test("a refused probe makes the page offline although a call succeeded in the meantime", async () => {
  health = async () => {
    await answerAfter(30)(new AbortController().signal);
    throw new TypeError("Failed to fetch");
  };
  page.dispatchEvent(new Event("online"));
  const answered = call();
  await vi.advanceTimersByTimeAsync(100);
  expect(await answered).toBe("answered");
  expect(changes.map(({ connected }) => connected)).toEqual([false]);
});

test("a call lost with the connection fails when the connection is back, not after its timeout", async () => {
  [server, health] = [never, never];
  let outcome = "";
  void call().then((ended) => {
    outcome = ended;
  });
  await vi.advanceTimersByTimeAsync(5000);
  expect(outcome).toBe("");
  health = answerAfter(20);
  await vi.advanceTimersByTimeAsync(10_000);
  expect([outcome, changes.at(-1)?.connected]).toEqual(["failed", true]);
});

test.each([
  ["takes long for a call", answerAfter(30_000), answerAfter(20)],
  ["refuses a call while it is overloaded", answerAfter(20, 503), answerAfter(20)],
  ["loses one call", refuse, answerAfter(20)],
])("a live server that %s doesn't make the page offline", async (_what, answer, alive) => {
  [server, health] = [answer, alive];
  void call();
  await vi.advanceTimersByTimeAsync(40_000);
  expect(changes).toEqual([]);
});

test("a connection that keeps slowing down doesn't make the page offline", async () => {
  [server, health] = [answerAfter(1000), answerAfter(1000)];
  for (let count = 0; count < 5; count++) {
    void call();
    await vi.advanceTimersByTimeAsync(5000);
  }
  [server, health] = [answerAfter(2800), answerAfter(2800)];
  for (let count = 0; count < 5; count++) {
    void call();
    await vi.advanceTimersByTimeAsync(5000);
  }
  expect(changes).toEqual([]);
});
