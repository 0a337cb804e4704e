import { expect, test } from "vitest";
import { addHeapFlags } from "./heap-flags.ts";

const argv = ["/usr/bin/node", "/opt/main.mjs", "serve"];

test("a server started without heap flags gets them, before its other options", () => {
  expect(addHeapFlags(["--import", "./probe.ts"], argv)).toEqual([
    ...["--max-semi-space-size=8", "--heap-growing-percent=50", "--import", "./probe.ts", "/opt/main.mjs", "serve"],
  ]);
});

test("an operator's flag stays, and the server doesn't restart if none is missing", () => {
  const own = "--max-semi-space-size=32";
  expect(addHeapFlags([own], argv)).toEqual(["--heap-growing-percent=50", own, "/opt/main.mjs", "serve"]);
  expect(addHeapFlags([own, "--heap-growing-percent=100"], argv)).toBeNull();
});
