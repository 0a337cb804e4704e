import type { en } from "./en.ts";

export type FigureTitle = keyof typeof en;
export type FigureTitles = Readonly<Record<FigureTitle, string>>;
