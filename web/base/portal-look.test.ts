import { describe, expect, test } from "vitest";
import { contrastWithWhite, findReadableColor, isColor, isPicture, leastContrast, parseLook } from "./portal-look.ts";

describe("the color of the portal", () => {
  test.each([
    ["#000000", 21],
    ["#ffffff", 1],
    ["#767676", 4.54],
  ])("%s has the contrast %d with white", (color, contrast) =>
    expect(contrastWithWhite(color)).toBeCloseTo(contrast, 1),
  );

  test.each(["#f4c430", "#ffffff", "#00ff00", "#1257b8"])("%s has a readable darker shade", (color) => {
    const readable = findReadableColor(color);
    expect(isColor(readable)).toBe(true);
    expect(contrastWithWhite(readable)).toBeGreaterThanOrEqual(leastContrast);
  });

  test("doesn't change if it is readable", () => expect(findReadableColor("#1257b8")).toBe("#1257b8"));
});

describe("the stored look", () => {
  test.each([null, undefined, "text", 7])("%j is empty", (value) => expect(parseLook(value)).toEqual({}));

  test("loses unusable members", () =>
    expect(
      parseLook({
        name: "Desk",
        greeting: 7,
        accent: "#f4c430",
        logo: "data:image/svg+xml;base64,AA",
        tiles: ["a", 1],
      }),
    ).toEqual({ name: "Desk", tiles: ["a"] }));

  test("accepts pictures except SVG, which can contain scripts", () => {
    expect(isPicture("data:image/png;base64,iVBORw0KGgo=")).toBe(true);
    expect(isPicture("data:image/svg+xml;base64,iVBORw0KGgo=")).toBe(false);
    expect(isPicture("https://example.com/logo.png")).toBe(false);
  });
});
