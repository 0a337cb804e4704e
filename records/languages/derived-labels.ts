// Labels that need no translator: the same in every language, or made from the value.
import type { EnumerationName } from "../enumerations/index.ts";
import { countryName } from "./countries.ts";
import { deriveLabel } from "./derive-label.ts";

type LabelDerivation = (value: string, code: string) => string;

// biome-ignore format: a table keeps its layout
export const languageNames: Readonly<Record<string, string>> = {
  "en-US": "English (United States)", "en-GB": "English (United Kingdom)", nl: "Nederlands", de: "Deutsch",
  fr: "Français", es: "Español", "es-AR": "Español (Argentina)", "es-ES": "Español (España)", eu: "Euskara",
  "pt-PT": "Português (Portugal)", "pt-BR": "Português (Brasil)", it: "Italiano", da: "Dansk", ga: "Gaeilge",
  cy: "Cymraeg", fi: "Suomi", nb: "Norsk", sv: "Svenska", is: "Íslenska", pl: "Polski", cs: "Čeština", el: "Ελληνικά",
  ro: "Română", hu: "Magyar", bg: "Български", sk: "Slovenčina", tr: "Türkçe", ru: "Русский", uk: "Українська",
  et: "Eesti", ar: "العربية", "zh-CN": "中文（简体）", "zh-TW": "中文（繁體）", ja: "日本語", ko: "한국어", id: "Bahasa Indonesia",
  th: "ไทย", vi: "Tiếng Việt", ms: "Bahasa Melayu", fa: "فارسی", he: "עברית", hi: "हिंदी", af: "Afrikaans",
  am: "አማርኛ", az: "Azerbaijani", bs: "Bosanski", hr: "Hrvatski", "fa-AF": "فارسی (افغانستان)",
  "fr-CA": "Français (Canada)", ka: "Ქართული", lv: "Latviešu", lt: "Lietuvių", sr: "Српски (ћирилица)",
  "sr@latin": "Srpski (latinski)", sl: "Slovenščina", ta: "தமிழ்", mk: "Македонски",
};

export const derivedLabels: { [key in EnumerationName]?: LabelDerivation } = {
  "webhook.event": eventLabel,
  "account.currency": (value) => value.toUpperCase(),
  "email_template.trigger": triggerLabel,
  language: (value) => languageNames[value] ?? value,
  countries: countryName,
  time_zone: (value) => value,
};

// request.note-added is "Request.Note Added"; a value without a dot is its own label.
function eventLabel(value: string): string {
  if (!value.includes(".")) return value;
  return value.replace(/[_-]/g, " ").replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

// request/new_note is "Request: New note".
function triggerLabel(value: string): string {
  return value.split("/").map(deriveLabel).join(": ");
}
