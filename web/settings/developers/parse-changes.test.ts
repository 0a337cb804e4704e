import { describe, expect, test } from "vitest";
import { filterChanges, parseChanges } from "./parse-changes.ts";

const log = `# Changes

## Unreleased

### API

- \`GET /webhook_sandboxes\`: receivers to try
  webhooks with.
- A second change.

### Operations

- A setting.

## 0.1.0

### API

- The first one.
`;

describe("the change log", () => {
  test("has releases with areas, and changes on one line each", () =>
    expect(parseChanges(log)).toEqual([
      {
        name: "Unreleased",
        areas: [
          { name: "API", changes: ["`GET /webhook_sandboxes`: receivers to try webhooks with.", "A second change."] },
          { name: "Operations", changes: ["A setting."] },
        ],
      },
      { name: "0.1.0", areas: [{ name: "API", changes: ["The first one."] }] },
    ]));

  test("leaves out the given areas", () =>
    expect(parseChanges(log, ["Operations"])[0]?.areas.map(({ name }) => name)).toEqual(["API"]));

  test("matches a change that contains all words, in any case and order", () => {
    const found = filterChanges(parseChanges(log), "TRY webhook_sandboxes");
    expect(found.flatMap(({ areas }) => areas.flatMap(({ changes }) => changes))).toHaveLength(1);
    expect(filterChanges(parseChanges(log), "nothing of it")).toEqual([]);
  });
});
