import { configure } from "@testing-library/dom";
import { afterEach, expect, vi } from "vitest";
import { describePage, leavePage } from "./render-screen.tsx";
import { installServer } from "./server.ts";

// Runs for every file of component tests.

installServer();

const idle = { requestIdleCallback: () => 0, cancelIdleCallback: () => {} };
/** There is one tab, so every request gets the lock. */
const locks = { request: (_name: string, _options: LockOptions, run: () => unknown) => Promise.resolve(run()) };
// Browser APIs that happy-dom lacks. The idle callback never runs, so no code is preloaded.
for (const place of [globalThis, window]) Object.assign(place, idle);
Object.defineProperty(navigator, "locks", { value: locks, configurable: true });
/** Growing text areas measure themselves again when a font has loaded. */
Object.defineProperty(document, "fonts", { value: new EventTarget(), configurable: true });

// Printing the whole document would hide the missing element in a failure message.
configure({ asyncUtilTimeout: 5_000, getElementError: (message) => new Error(`${message}\n${describePage()}`) });

afterEach(async () => {
  const unanswered = await leavePage();
  // The files of a worker share their modules. Code that a page still loads must not be evaluated between two files, without
  // a DOM: it would stay failed in all later ones.
  await vi.dynamicImportSettled();
  expect(unanswered, "calls without a response").toEqual([]);
});
