import { expect, test } from "vitest";
import { buildKeyUri, computeCode, createKey, findStep, formatKey, getStep } from "./one-time-password.ts";

const key = Buffer.from("12345678901234567890");

// RFC 6238, appendix B, the last six of the eight digits
test.each([
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
])("the code at second %s is %s", (second, code) => {
  expect(computeCode(key, getStep(new Date(second * 1000)))).toBe(code);
});

test("a key is written in base 32, and in the address that apps read", () => {
  expect(formatKey(key)).toBe("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
  expect(formatKey(Buffer.from("foob"))).toBe("MZXW6YQ");
  expect(formatKey(createKey())).toMatch(/^[A-Z2-7]{32}$/);
  expect(buildKeyUri(key, "ada@acme.example")).toBe(
    "otpauth://totp/Steward%3Aada%40acme.example?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Steward",
  );
});

test("a code is accepted a step early and late, and never twice", () => {
  const now = new Date(1_234_567_890_000);
  const step = getStep(now);
  for (const offset of [-1, 0, 1]) expect(findStep(key, computeCode(key, step + offset), now, 0)).toBe(step + offset);
  for (const offset of [-2, 2]) expect(findStep(key, computeCode(key, step + offset), now, 0)).toBeNull();
  expect(findStep(key, computeCode(key, step), now, step)).toBeNull();
  expect(findStep(key, "", now, 0)).toBeNull();
});
