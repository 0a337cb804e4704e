import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import type { MailLanguage } from "./mail-language.ts";
import { nl } from "./nl.ts";

export type { MailLanguage, RejectionReason, Wording } from "./mail-language.ts";
export { notifications } from "./table.ts";

export const mailLanguages: Record<string, MailLanguage> = { en, nl, de, fr, es };

/** fr-CA reads fr; a language without a file reads English. */
export const getMailTexts = (code: string): MailLanguage => mailLanguages[pickMailLanguage(code)] ?? en;

export const pickMailLanguage = (code: string): string => {
  const prefix = code.replace(/[-@].*$/, "");
  return Object.hasOwn(mailLanguages, prefix) ? prefix : "en";
};
