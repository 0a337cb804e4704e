import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type EnumerationName, enumerations } from "../enumerations/index.ts";
import { timeZones } from "../enumerations/time-zones.ts";
import { register } from "../index.ts";
import { derivedLabels } from "./derived-labels.ts";
import { choiceLabel, deriveLabel, fieldLabel, formatMessage, languages, parseLanguage } from "./index.ts";
import { de as deLabels } from "./interface/de.ts";
import { en as enLabels } from "./interface/en.ts";
import { es as esLabels } from "./interface/es.ts";
import { fr as frLabels } from "./interface/fr.ts";
import { nl as nlLabels } from "./interface/nl.ts";
import { de as deNames } from "./names/de.ts";
import { es as esNames } from "./names/es.ts";
import { fr as frNames } from "./names/fr.ts";
import { nl as nlNames } from "./names/nl.ts";

const keys = Object.keys(enumerations) as EnumerationName[];
const languageIndependent = ["webhook.event", "account.currency", "email_template.trigger", "language", "time_zone"];
const fromIntl = ["countries"];
const inTables = keys.filter((key) => !languageIndependent.includes(key) && !fromIntl.includes(key));
const translated = ["nl", "de", "fr", "es"];
const sameEverywhere = ["url", "uri", "html", "css", "javascript", "cc", "sla", "roi"]; // as labelOf() writes them

describe("enumerations", () => {
  test("no list is empty or repeats a value", () => {
    for (const key of keys) {
      expect(enumerations[key].length, key).toBeGreaterThan(0);
      expect(new Set(enumerations[key]).size, key).toBe(enumerations[key].length);
    }
  });

  test("there are 249 countries, 152 time zones, 57 languages and 42 currencies", () => {
    const { countries, time_zone, language, "account.currency": currency } = enumerations;
    expect([countries.length, time_zone.length, language.length, currency.length]).toEqual([249, 152, 57, 42]);
  });

  test("the runtime knows every time zone", () => {
    for (const zone of Object.values(timeZones)) new Intl.DateTimeFormat("en", { timeZone: zone });
  });
});

describe("choices", () => {
  test("every value of every enumeration has an English label", () => {
    for (const key of keys) {
      for (const value of enumerations[key]) expect(choiceLabel("en-US", key, value), `${key} ${value}`).toMatch(/\S/);
    }
  });

  test("only the listed enumerations get their labels without a table", () => {
    expect(Object.keys(derivedLabels).sort()).toEqual([...languageIndependent, ...fromIntl].sort());
  });

  test.each(["en", ...translated])(
    "%s has a label for exactly the values of the enumerations, in their order",
    (code) => {
      const choices = languages[code]?.choices ?? {};
      expect(Object.keys(choices)).toEqual(inTables);
      for (const key of inTables) {
        expect(Object.keys(choices[key] ?? {}), key).toEqual([...enumerations[key]]);
        for (const label of Object.values(choices[key] ?? {})) expect(label, key).toBe(label.trim());
      }
    },
  );

  test("a regional language falls back to its main one, and one without a file to English", () => {
    expect(choiceLabel("nl", "task.status", "assigned")).toBe("Toegewezen");
    expect(choiceLabel("fr-CA", "task.status", "assigned")).toBe("Attribuée");
    expect(choiceLabel("es-AR", "task.status", "assigned")).toBe("Asignada");
    expect(choiceLabel("fi", "task.status", "assigned")).toBe("Assigned");
  });

  test("derived labels", () => {
    expect(choiceLabel("nl", "webhook.event", "request.note-added")).toBe("Request.Note Added");
    expect(choiceLabel("en-US", "webhook.event", "automation_rule")).toBe("automation_rule");
    expect(choiceLabel("en-US", "email_template.trigger", "request/new_note")).toBe("Request: New note");
    expect(choiceLabel("en-US", "email_template.trigger", "flsa/activated")).toBe("FLSA: Activated");
    expect(choiceLabel("de", "account.currency", "nok")).toBe("NOK");
    expect(choiceLabel("de", "language", "nl")).toBe("Nederlands");
    expect(choiceLabel("de", "time_zone", "Cape Verde Is.")).toBe("Cape Verde Is.");
    expect(choiceLabel("nl", "countries", "DE")).toBe("Duitsland");
    expect(choiceLabel("fr-CA", "countries", "DE")).toBe("Allemagne");
  });

  test("every language id has its own name and country names", () => {
    for (const id of enumerations.language) {
      expect(choiceLabel("en-US", "language", id)).not.toBe(id);
      for (const country of enumerations.countries) expect(choiceLabel(id, "countries", country)).not.toBe(country);
    }
  });

  test("a wrong key or value throws", () => {
    // @ts-expect-error: not an enumeration
    expect(() => choiceLabel("en-US", "task.colour", "red")).toThrow("No label for task.colour red");
    expect(() => choiceLabel("nl", "task.status", "constructor")).toThrow("No label for task.status constructor");
  });
});

describe("fields", () => {
  test("English labels are derived from names unless en.ts contains one", () => {
    const labels = { primary_email: "Primary email", sourceID: "Source ID", picture_uri: "Picture URI", vip: "VIP" };
    for (const [name, label] of Object.entries(labels)) expect(deriveLabel(name)).toBe(label);
    expect(deriveLabel("supplier_requestID")).toBe("Supplier request ID");
    expect(deriveLabel("sla_notification_scheme")).toBe("SLA notification scheme");
    expect(deriveLabel("min_duration")).toBe("Minimum duration");
    expect(fieldLabel("en-GB", "serial_nr")).toBe("Serial number");
    expect(fieldLabel("en-GB", "is_bundle")).toBe("Bundle");
  });

  test("en.ts contains no label that equals the derived one", () => {
    for (const [name, label] of Object.entries(languages.en?.fields ?? {})) expect(deriveLabel(name)).not.toBe(label);
  });

  test.each(translated)("%s has a label for every field that is on the wire, and for every link in files", (code) => {
    const labels = languages[code]?.fields ?? {};
    const names = register.flatMap(({ fields, links }) => [
      ...Object.keys(fields).filter((name) => !fields[name]?.internal),
      ...Object.keys(links).filter((name) => "table" in (links[name] ?? {})),
    ]);
    const missing = new Set(names.filter((name) => !sameEverywhere.includes(name) && !Object.hasOwn(labels, name)));
    expect([...missing]).toEqual([]);
  });

  test("nl, de, fr and es label the same fields; others fall back to English", () => {
    for (const code of translated) {
      expect(Object.keys(languages[code]?.fields ?? {})).toEqual(Object.keys(languages.nl?.fields ?? {}));
    }
    expect(fieldLabel("nl", "name")).toBe("Naam");
    expect(fieldLabel("nl", "no_such_field")).toBe("No such field");
    expect(fieldLabel("nl", "constructor")).toBe("Constructor");
  });
});

// What the sources say to callers: the texts with a blank in calls of problem() and the like. Names have no blanks.
const sources = globSync([
  "{records,server/engine,server/rules}/**/*.ts",
  "server/api/routes/**/*-routes.ts",
  "server/actions/**/*.ts",
]).filter((file) => !file.endsWith(".test.ts") && !file.startsWith("records/languages/"));
const inParentheses = String.raw`\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)`;
const messageCalls = new RegExp(
  String.raw`\b(?:problem|problems\.push|Invalid|Refusal|scalar)${inParentheses}|\b(?:message|missing|disabled): "[^"]*"`,
  "g",
);
const serverMessages = new Set(
  sources
    .flatMap((file) => readFileSync(file, "utf8").match(messageCalls) ?? [])
    .flatMap((call) => [...call.matchAll(/"([^"\n]*)"/g)].map(([, text = ""]) => text))
    .filter((text) => text.includes(" ")),
);

describe("messages", () => {
  const placeholders = (text: string) => text.match(/\{\w+\}/g) ?? [];

  test.each(translated)("%s translates every message and keeps its placeholders", (code) => {
    const messages = languages[code]?.messages ?? {};
    expect(Object.keys(messages)).toEqual(Object.keys(languages.nl?.messages ?? {}));
    for (const [template, text] of Object.entries(messages)) {
      expect(placeholders(text), template).toEqual(placeholders(template));
      expect(text).not.toBe(template);
    }
  });

  test("every message of the server has a translation", () => {
    const translations = languages.nl?.messages ?? {};
    expect(serverMessages.size).toBeGreaterThan(30);
    expect([...serverMessages].filter((template) => !Object.hasOwn(translations, template))).toEqual([]);
  });

  test("messages are filled in, in the language or else in English", () => {
    const template = "is too long (maximum is {max} characters)";
    expect(formatMessage("nl", template, { max: 80 })).toBe("is te lang (maximaal 80 tekens)");
    expect(formatMessage("ja", template, { max: 80 })).toBe("is too long (maximum is 80 characters)");
    expect(formatMessage("de", "is purple")).toBe("is purple");
    expect(formatMessage("nl", "{member} can't be blank", { member: "day" })).toBe("day moet opgegeven zijn");
    expect(formatMessage("en-US", "{member} can't be blank", { member: "day" })).toBe("day can't be blank");
  });

  test("label and message form a sentence", () => {
    const sentence = (code: string, field: string, template: string) =>
      `${fieldLabel(code, field)} ${formatMessage(code, template)}`;
    expect(sentence("nl", "name", "can't be blank")).toBe("Naam moet opgegeven zijn");
    expect(sentence("en-US", "base", "record is archived")).toBe("Record is archived");
    expect(sentence("en-US", "base", "is not archived or trashed")).toBe("Record is not archived or trashed");
  });
});

describe("languageOf", () => {
  test.each([
    ["nl", "nl"],
    ["EN-gb", "en-GB"],
    ["en", "en-US"],
    ["pt", "pt-PT"],
    ["ZH", "zh-CN"],
    ["SR@Latin", "sr@latin"],
    ["sr@cyrillic", "sr"],
    ["nl-BE", null],
    ["e", null],
    ["xx", null],
    ["", null],
  ])("%s is %s", (code, id) => expect(parseLanguage(code)).toBe(id));
});

describe("names of types and views, and hints", () => {
  test.each(Object.entries({ nl: nlNames, de: deNames, fr: frNames, es: esNames }))(
    "%s names every record type and every predefined filter",
    (_language, { types, views }) => {
      expect(Object.keys(types)).toEqual(register.map(({ name }) => name));
      const expected = new Set(register.flatMap((type) => Object.keys(type.views)));
      expect(new Set(Object.keys(views))).toEqual(expected);
      expect([...Object.values(types).flat(), ...Object.values(views)].filter((name) => name.trim() === "")).toEqual(
        [],
      );
    },
  );

  test("every hint belongs to a field, exists in five languages, and contains no API field name", () => {
    const fields = new Set(register.flatMap((type) => Object.keys(type.fields)));
    for (const { hints } of [enLabels, nlLabels, deLabels, frLabels, esLabels]) {
      expect(Object.keys(hints)).toEqual(Object.keys(enLabels.hints));
      for (const [name, text] of Object.entries(hints)) {
        expect(fields.has(name), name).toBe(true);
        expect(text).not.toMatch(/[a-z]_[a-z]|^\s*$/);
      }
    }
  });
});
