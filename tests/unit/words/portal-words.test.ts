import { expect, test } from "vitest";
import { contrastWithWhite, findReadableColor, leastContrast, parseLook } from "../../../web/base/portal-look.ts";
import { portal as de } from "../../../web/languages/de/portal.ts";
import { portal as en } from "../../../web/languages/en/portal.ts";
import { portal as es } from "../../../web/languages/es/portal.ts";
import { portal as fr } from "../../../web/languages/fr/portal.ts";
import { portal as nl } from "../../../web/languages/nl/portal.ts";

// Requesters don't know the jargon of the field.

// biome-ignore format: one line per language
const jargon: Readonly<Record<string, readonly string[]>> = {
  en: ["incident", "rfc", "rfi", "ticket", "sla", "ci", "workflow", "template", "assign", "escalat", "backlog", "impact", "configuration item", "resolution target", "clock stopped", "in_progress", "waiting_for"],
  nl: ["incident", "rfc", "ticket", "sla", "workflow", "sjabloon", "toegewezen", "escal", "backlog", "impact", "configuratie-item"],
  de: ["incident", "rfc", "ticket", "sla", "workflow", "vorlage", "zugewiesen", "eskal", "backlog", "auswirkung", "konfigurationselement"],
  fr: ["incident", "rfc", "ticket", "sla", "workflow", "modèle", "assign", "escalad", "backlog", "impact", "élément de configuration"],
  es: ["incidente", "rfc", "ticket", "sla", "workflow", "plantilla", "asignad", "escal", "backlog", "impacto", "elemento de configuración"],
};

test("the portal uses no jargon, in any of five languages", () => {
  for (const [language, words] of Object.entries({ en, nl, de, fr, es })) {
    const texts = Object.entries(words).flatMap(([key, message]) =>
      (typeof message === "string"
        ? [message]
        : Object.entries(message).flatMap(([form, text]) => (form === "by" ? [] : [text]))
      ).map((text) => `${key}: ${String(text).replace(/\{\w+\}/g, "")}`),
    );
    for (const word of jargon[language] ?? []) {
      const pattern = new RegExp(`(^|[^\\p{L}])${word}`, "iu");
      expect(
        texts.filter((text) => pattern.test(text.slice(text.indexOf(":") + 1))),
        `${language}: ${word}`,
      ).toEqual([]);
    }
  }
});

test("every language has the portal's texts, with the same placeholders", () => {
  const placeholders = (message: unknown) => [...new Set(JSON.stringify(message).match(/\{\w+\}/g) ?? [])].sort();
  for (const words of [nl, de, fr, es])
    for (const [key, message] of Object.entries(en))
      expect([key, placeholders(words[key as keyof typeof en])]).toEqual([key, placeholders(message)]);
});

test("an accent color on which white text is unreadable is refused, and the nearest readable one is suggested", () => {
  expect(contrastWithWhite("#ffffff")).toBeCloseTo(1, 5);
  expect(contrastWithWhite("#000000")).toBeCloseTo(21, 5);
  for (const color of ["#ffcc00", "#ff6600", "#1257b8", "#00ff00"]) {
    const readable = findReadableColor(color);
    expect(contrastWithWhite(readable)).toBeGreaterThanOrEqual(leastContrast);
    expect(parseLook({ accent: readable }).accent).toBe(readable);
  }
  expect(findReadableColor("#1257b8")).toBe("#1257b8");
  expect(parseLook({ accent: "#ffcc00", logo: "data:image/svg+xml;base64,AAAA", name: 5, tiles: ["else", 3] })).toEqual(
    {
      tiles: ["else"],
    },
  );
  for (const nothing of [null, undefined, 5, "x", { accent: "red; } body { display: none" }])
    expect(parseLook(nothing)).toEqual({});
});
