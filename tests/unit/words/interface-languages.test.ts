import { describe, expect, test } from "vitest";
import { words as english } from "../../../web/languages/en/index.ts";
import type { Message } from "../../../web/languages/message.ts";
import { toPseudo } from "../../../web/languages/pseudo.ts";
import { slaLook } from "../../../web/parts/work/sla-look.ts";
import { listTranslations } from "../../support/translations.ts";

// Every language has the same messages, with the same placeholders and the plural forms of the language.

const texts = (message: Message): string[] =>
  typeof message === "string"
    ? [message]
    : Object.entries(message).flatMap(([form, text]) => (form === "by" ? [] : text));
const places = (message: Message): string[] =>
  [...new Set(texts(message).flatMap((text) => text.match(/\{\w+\}/g) ?? []))].sort();

describe.each(await listTranslations())("$code", ({ code, words }) => {
  test("has the English messages, with the same placeholders", () => {
    expect(Object.keys(words).sort()).toEqual(Object.keys(english).sort());
    const wrong = Object.entries<Message>(english).filter(
      ([key, message]) => String(places(message)) !== String(places(words[key] as Message)),
    );
    expect(wrong.map(([key]) => key)).toEqual([]);
    expect(Object.entries(words).filter(([, message]) => texts(message).some((text) => text.trim() === ""))).toEqual(
      [],
    );
  });

  test("has the plural forms that its numbers need", () => {
    const rules = new Intl.PluralRules(code);
    const needed = new Set(Array.from({ length: 1000 }, (_, count) => rules.select(count)));
    const wrong = Object.entries(words).filter(([key, message]) => {
      // An untranslated text, spread from English, has the English forms.
      if (typeof message === "string" || "by" in message || message === english[key as keyof typeof english])
        return false;
      const known: readonly string[] = rules.resolvedOptions().pluralCategories;
      return (
        [...needed].some((form) => !Object.hasOwn(message, form)) ||
        !Object.keys(message).every((form) => known.includes(form))
      );
    });
    expect(wrong.map(([key]) => key)).toEqual([]);
  });
});

test("the pseudo language is at least 40 percent longer and keeps the placeholders", () => {
  expect(toPseudo("{count} open requests")).toMatch(/^\[\{count\} öpéñ/);
  expect(toPseudo("Inbox").length).toBeGreaterThanOrEqual(Math.ceil("Inbox".length * 1.4));
});

test("the target chip's look depends on the time left", () => {
  const now = Date.parse("2026-11-17T09:42:00Z");
  const later = (at: number) => at >= Date.parse("2026-11-18T00:00:00Z");
  const look = (target: string | null) => slaLook(target, now, later);
  expect(look("2026-11-17T09:41:59Z")).toBe("overdue");
  expect(look("2026-11-17T10:01:59Z")).toBe("urgent");
  expect(look("2026-11-17T10:02:00Z")).toBe("soon");
  expect(look("2026-11-17T10:42:00Z")).toBe("calm");
  expect(look("2026-11-18T08:10:00Z")).toBe("later");
  expect(look("clock_stopped")).toBe("stopped");
  expect(look("best_effort")).toBe("none");
  expect(look(null)).toBe("none");
});
