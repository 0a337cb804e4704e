import { describe, expect, test } from "vitest";
import { rankMatch } from "./match-text.ts";

describe("the rank of a match", () => {
  test.each([
    ["", "Audit", "", 1],
    ["aud", "Audit", "", 4],
    ["log aud", "Audit log", "", 3],
    ["dit", "Audit", "", 2],
    ["history", "Audit", "history changes", 1],
    ["aud history", "Audit", "history changes", 1],
    ["xyz", "Audit", "history", 0],
    ["etat", "État du compte", "", 4],
  ])("of “%s” in “%s” with the synonyms “%s” is %i", (typed, name, synonyms, rank) =>
    expect(rankMatch(typed, name, synonyms)).toBe(rank),
  );
});
