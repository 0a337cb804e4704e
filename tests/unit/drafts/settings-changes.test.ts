import { expect, test } from "vitest";
import { formatSettingsChanges, isOutdated, parseSettingsChanges } from "../../../web/drafts/settings-changes.ts";

// The content of a settings form's draft, and when it is older than the saved values (D-790).

const saved = { name: "Widget", zone: "Amsterdam", logo: "" };

test("a draft contains only the changed fields, with the saved values that they replace", () => {
  const text = formatSettingsChanges({ ...saved, name: "Gadget" }, saved, {});
  expect(JSON.parse(text)).toEqual({ changes: { name: "Gadget" }, before: { name: "Widget" } });
  expect(formatSettingsChanges(saved, saved, {})).toBe("");
});

test("a newer saved value makes the draft outdated, also if the person continues typing", () => {
  const text = formatSettingsChanges({ ...saved, name: "Gadget" }, saved, {});
  const newer = { ...saved, name: "Widget Works" };
  const stored = parseSettingsChanges(text, newer);
  expect([isOutdated(parseSettingsChanges(text, saved), saved), isOutdated(stored, newer)]).toEqual([false, true]);
  const typedOn = formatSettingsChanges({ ...newer, name: "Gadgets" }, newer, stored.before);
  expect(isOutdated(parseSettingsChanges(typedOn, newer), newer)).toBe(true);
});

test("a newer value of another field, or a change that has been saved, doesn't make a draft outdated", () => {
  const text = formatSettingsChanges({ ...saved, name: "Gadget" }, saved, {});
  const other = { ...saved, zone: "Berlin" };
  expect(isOutdated(parseSettingsChanges(text, other), other)).toBe(false);
  const same = { ...saved, name: "Gadget" };
  expect(parseSettingsChanges(text, same).changes).toEqual({});
  expect(isOutdated(parseSettingsChanges(text, same), same)).toBe(false);
});

test("after another device saves the draft, changes are based on the saved value", () => {
  const text = formatSettingsChanges({ ...saved, name: "Gadget" }, saved, {});
  const savedElsewhere = { ...saved, name: "Gadget" };
  const { before } = parseSettingsChanges(text, savedElsewhere);
  const typedOn = formatSettingsChanges({ ...savedElsewhere, name: "Gadgets" }, savedElsewhere, before);
  expect(JSON.parse(typedOn)).toEqual({ changes: { name: "Gadgets" }, before: { name: "Gadget" } });
  expect(isOutdated(parseSettingsChanges(typedOn, savedElsewhere), savedElsewhere)).toBe(false);
});

test("the draft of a new picture fits on the server and detects that another one was saved", () => {
  const draw = (ending: string) => `data:image/png;base64,${"A".repeat(53_000)}${ending}`;
  const first = { ...saved, logo: draw("1") };
  const text = formatSettingsChanges({ ...first, logo: draw("2") }, first, {});
  expect(text.length).toBeLessThan(60_000);
  expect(isOutdated(parseSettingsChanges(text, first), first)).toBe(false);
  const newer = { ...saved, logo: draw("3") };
  expect(isOutdated(parseSettingsChanges(text, newer), newer)).toBe(true);
});
