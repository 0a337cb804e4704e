import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { waitForConnection } from "../live/connectivity.ts";
import { declareLoading, MissingCode } from "./load-code.ts";

// Code that is loaded while the server becomes unreachable or has a newer version.

const broken = new TypeError("Failed to fetch dynamically imported module");
const serve = () => Promise.resolve(new Response("{}"));
const refuse = () => Promise.reject(new TypeError("Failed to fetch"));
const fetched = vi.fn(serve);

beforeEach(() => {
  vi.stubGlobal("fetch", fetched.mockImplementation(serve));
});
afterEach(() => {
  vi.unstubAllGlobals();
});

/** Fails this many times, then returns the code. */
const failing = (times: number) => {
  const load = vi.fn(async () => "code");
  for (let count = 0; count < times; count++) load.mockRejectedValueOnce(broken);
  return load;
};

test("a connection that breaks while the server is reachable does not fail the page", async () => {
  const loading = declareLoading(failing(1));
  await loading.load();
  expect(loading.getLoaded()).toBe("code");
});

test("a file that fails twice while the server is reachable counts as missing", async () => {
  const load = failing(2);
  await expect(declareLoading(load).load()).rejects.toBeInstanceOf(MissingCode);
  expect(load).toHaveBeenCalledTimes(2);
});

test("code is loaded when the server is back, even if it became unreachable right after a successful probe", async () => {
  // The first probe was answered just before the server became unreachable.
  fetched.mockImplementationOnce(serve).mockImplementation(refuse);
  const load = failing(2);
  const loading = declareLoading(load);
  const loaded = loading.load();
  await waitForConnection(false);
  expect(load).toHaveBeenCalledTimes(2);
  fetched.mockImplementation(serve);
  await loaded;
  expect(loading.getLoaded()).toBe("code");
});
