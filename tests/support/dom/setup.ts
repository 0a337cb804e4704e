import { configure } from "@testing-library/dom";
import { afterEach, expect } from "vitest";
import { describePage, leavePage } from "./render-screen.tsx";
import { installServer } from "./server.ts";

// Runs for every file of component tests.

installServer();

const idle = { requestIdleCallback: () => 0, cancelIdleCallback: () => {} };
/** There is one tab, so whoever asks gets the lock. */
const locks = { request: (_name: string, _options: LockOptions, run: () => unknown) => Promise.resolve(run()) };
// What browsers have and happy-dom has not; nothing is loaded for later.
for (const place of [globalThis, window]) Object.assign(place, idle);
Object.defineProperty(navigator, "locks", { value: locks, configurable: true });
/** Text areas that grow measure themselves again when a font has arrived. */
Object.defineProperty(document, "fonts", { value: new EventTarget(), configurable: true });

// The whole document in the message of a failure hides what is missing.
configure({ asyncUtilTimeout: 5_000, getElementError: (message) => new Error(`${message}\n${describePage()}`) });

afterEach(async () => expect(await leavePage(), "calls without a response").toEqual([]));
