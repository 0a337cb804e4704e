import type { portal as english } from "../languages/en/portal.ts";
import { adoptWords, fillMessage, type LanguageCode, type Values } from "../languages/index.ts";
import type { Message } from "../languages/message.ts";

// The words of the portal, loaded without those of the workspace.

export type Word = keyof typeof english;
type Words = Readonly<Record<Word, Message>>;
type Parts = Parameters<typeof adoptWords>[0];

// biome-ignore format: one line per language
const languages: Readonly<Record<LanguageCode, () => Promise<[Words, Parts]>>> = {
  en: async () => [(await import("../languages/en/portal.ts")).portal, (await import("../languages/en/parts.ts")).parts],
  nl: async () => [(await import("../languages/nl/portal.ts")).portal, (await import("../languages/nl/parts.ts")).parts],
  de: async () => [(await import("../languages/de/portal.ts")).portal, (await import("../languages/de/parts.ts")).parts],
  fr: async () => [(await import("../languages/fr/portal.ts")).portal, (await import("../languages/fr/parts.ts")).parts],
  es: async () => [(await import("../languages/es/portal.ts")).portal, (await import("../languages/es/parts.ts")).parts],
};
export const languageNames: Readonly<Record<LanguageCode, string>> = {
  en: "English",
  nl: "Nederlands",
  de: "Deutsch",
  fr: "Français",
  es: "Español",
};

export const isLanguageCode = (code: string): code is LanguageCode => Object.hasOwn(languages, code);

let words: Partial<Words> = {};

/** `code`: the locale of the person; "pseudo" shows where longer words do not fit. */
export async function loadWords(code: string): Promise<void> {
  const isPseudo = code === "pseudo";
  const language = isPseudo ? "en" : (code.split(/[-_]/)[0] ?? "en").toLowerCase();
  const known = isLanguageCode(language) ? language : "en";
  const [loaded, parts] = await languages[known]();
  words = isPseudo ? await lengthen(loaded) : loaded;
  adoptWords(parts, isPseudo ? "en-GB" : code);
  document.documentElement.lang = known;
}

/** Loaded only by those who test the layout. */
async function lengthen(loaded: Words): Promise<Words> {
  const { buildPseudoCatalogue } = await import("../languages/pseudo.ts");
  // It keeps the keys and changes the texts alone.
  return buildPseudoCatalogue(loaded as never) as unknown as Words;
}

export const t = (word: Word, values: Values = {}): string => {
  const message: Message | undefined = words[word];
  return message === undefined ? word : fillMessage(message, values);
};
