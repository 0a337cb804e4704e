import { expect, test } from "vitest";
import { enumerations } from "../../../records/enumerations/index.ts";
import { formatDate, formatDateTime } from "../../../web/base/formats.ts";
import * as moments from "../../../web/base/moments.ts";
import { languageCodes } from "../../../web/languages/index.ts";
import { languageName, listLocales, localeName, pickLocale } from "../../../web/languages/spoken-languages.ts";

// Formatters of dates, numbers and languages must return a text whatever a record lacks: an exception in one row of a list
// would break the page.

const now = Date.UTC(2026, 10, 17, 10);
const noMoments = [Number.NaN, Number.POSITIVE_INFINITY, 8.64e15 + 1];

test("no formatter of moments throws on an invalid number", () => {
  const { formatNear, formatAhead, formatWithin, formatExact, formatClock, formatFullDate, yearOf } = moments;
  for (const at of noMoments) {
    for (const each of [formatNear, formatAhead, formatWithin]) expect(each(at, now), each.name).toBe("");
    for (const each of [formatExact, formatClock, formatFullDate, yearOf]) expect(each(at), each.name).toBe("");
    expect(moments.daysAway(at, now)).toBeNaN();
  }
  expect(moments.formatNear(now - 26 * 3_600_000, now)).toBe("Mon 08:00");
});

test("no formatter of texts throws on an invalid date", () => {
  for (const text of ["", "best_effort", "2026-11-99", "undefined"])
    for (const each of [formatDate, formatDateTime]) expect(typeof each(text)).toBe("string");
});

const accepted: readonly string[] = enumerations.language;

test("the server accepts the locale of every language offered by the portal and the profile", () => {
  expect(languageCodes).toEqual(["de", "en", "es", "fr", "nl"]);
  for (const language of languageCodes)
    for (const browser of [[], [language], ["en-GB"], ["en-AU", "xx"], [...accepted]])
      expect(accepted, language).toContain(pickLocale(language, browser));
  expect(pickLocale("en", ["de", "en-GB"])).toBe("en-GB");
});

test("the server accepts every language available for translations", () => {
  for (const own of accepted) for (const locale of listLocales(own, ["fr-CA"])) expect(accepted, own).toContain(locale);
});

test("every language has a name, whatever its code", () => {
  for (const locale of [...accepted, "sr@latin", "nonsense!"]) {
    expect(languageName(locale)).not.toBe("");
    expect(localeName(locale)).not.toBe("");
  }
  expect([languageName("sr@latin"), localeName("en-GB"), localeName("nl")]).toEqual([
    languageName("sr"),
    "British English",
    "Nederlands",
  ]);
});
