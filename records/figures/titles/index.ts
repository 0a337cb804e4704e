import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { nl } from "./nl.ts";
import type { FigureTitles } from "./titles.ts";

export type { FigureTitle, FigureTitles } from "./titles.ts";

const languages: Readonly<Record<string, FigureTitles>> = { en, nl, de, fr, es };

/** The titles in the language of a locale, else in English. */
export const getFigureTitles = (locale: string): FigureTitles => languages[locale.split(/[-@_]/)[0] ?? "en"] ?? en;
