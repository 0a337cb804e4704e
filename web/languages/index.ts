import { en } from "./en.ts";

// A new language is a file like en.ts and a line here. It is chosen once, when it is known who is there.

type Message = string | { readonly one: string; readonly other: string };
export type MessageKey = keyof typeof en;
export type Catalogue = Readonly<Record<MessageKey, Message>>;

const catalogues: Readonly<Record<string, Catalogue>> = { en };

let current: Catalogue = en;
let locale = "en-US";

/** The locale of a person as browsers write it: "sr@latin" means nothing to them. */
function browserLocale(code: string): string {
  try {
    return Intl.getCanonicalLocales(code.replace(/@.*$/, ""))[0] ?? "en-US";
  } catch {
    return "en-US";
  }
}

export function setLanguage(code: string): void {
  locale = browserLocale(code);
  const language = locale.split("-")[0] ?? "en";
  current = catalogues[language] ?? en;
  document.documentElement.lang = catalogues[language] === undefined ? "en" : language;
}

/** For numbers and dates. */
export const currentLocale = (): string => locale;

type Values = Readonly<Record<string, string | number>>;

const formatNumeral = (value: string | number): string =>
  typeof value === "number" ? new Intl.NumberFormat(locale).format(value) : value;

export function t(key: MessageKey, values: Values = {}): string {
  const message: Message = current[key];
  const one = typeof values.count === "number" && new Intl.PluralRules(locale).select(values.count) === "one";
  const text = typeof message === "string" ? message : one ? message.one : message.other;
  return text.replace(/\{(\w+)\}/g, (place, name: string) => formatNumeral(values[name] ?? place));
}

export const isMessage = (key: string): key is MessageKey => Object.hasOwn(en, key);
