import { countryName } from "../../records/languages/countries.ts";
import { languageNames } from "../../records/languages/derived-labels.ts";
import type { InterfaceLabels } from "../../records/languages/interface/interface-labels.ts";

// What the files of labels don't have: what only the interface shows, and labels that follow from the value, such as the
// names of countries.

/** The names of these languages in GET /enums are in English, or have a capital that doesn't exist. */
const correctedNames: Readonly<Record<string, string>> = { az: "Azərbaycan", ka: "ქართული" };

const interfaceLabels: Readonly<Record<string, () => Promise<InterfaceLabels>>> = {
  en: async () => (await import("../../records/languages/interface/en.ts")).en,
  nl: async () => (await import("../../records/languages/interface/nl.ts")).nl,
  de: async () => (await import("../../records/languages/interface/de.ts")).de,
  fr: async () => (await import("../../records/languages/interface/fr.ts")).fr,
  es: async () => (await import("../../records/languages/interface/es.ts")).es,
};

export type OwnLabels = Pick<InterfaceLabels, "hints"> & {
  /** The label of a value of an enumeration; undefined: GET /enums has a good one. */
  readChoice(enumeration: string, value: string): string | undefined;
};
type Names = { ofType: (name: string) => string; ofValue: (value: string) => string };

export async function loadOwnLabels(language: string, names: Names): Promise<OwnLabels | null> {
  const own = await interfaceLabels[language]?.();
  if (own === undefined) return null;
  const nameEvent = (event: string) => {
    const [type = "", happened] = event.split(".");
    return happened === undefined ? names.ofType(event) : `${names.ofType(type)}: ${own.events[happened] ?? happened}`;
  };
  const nameTrigger = (trigger: string) => {
    const [group = "", cause = ""] = trigger.split("/");
    return `${own.triggerGroups[group] ?? names.ofType(group)}: ${own.triggers[cause] ?? names.ofValue(cause)}`;
  };
  // biome-ignore format: a table keeps its columns
  const derived: Readonly<Record<string, (value: string) => string | undefined>> = {
    "account.currency":      (value) => value.toUpperCase(),
    "webhook.event":         nameEvent,
    "email_template.trigger": nameTrigger,
    "short_url.data_type":   (value) => (value === "url" ? "URL" : names.ofType(value)),
    countries:               (value) => countryName(value, language),
    language:                (value) => correctedNames[value] ?? languageNames[value],
    time_zone:               (value) => value,
  };
  return {
    hints: own.hints,
    readChoice: (enumeration, value) => own.choices[enumeration]?.[value] ?? derived[enumeration]?.(value),
  };
}
