import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { nl } from "./nl.ts";
import type { MailLanguage } from "./type.ts";

export { notifications } from "./table.ts";
export type { MailLanguage, Refusal, Wording } from "./type.ts";

export const mailLanguages: Record<string, MailLanguage> = { en, nl, de, fr, es };

/** fr-CA reads fr; a language without a file reads English. */
export const mailWords = (code: string): MailLanguage => mailLanguages[languageOfMail(code)] ?? en;

export const languageOfMail = (code: string): string => {
  const prefix = code.replace(/[-@].*$/, "");
  return Object.hasOwn(mailLanguages, prefix) ? prefix : "en";
};
