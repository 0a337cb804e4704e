import type { portal as english } from "../languages/en/portal.ts";
import { adoptWords, fillMessage, languageCodes, type Values } from "../languages/index.ts";
import type { Message } from "../languages/message.ts";

// The texts of the portal, loaded without those of the workspace.

export type Word = keyof typeof english;
type Words = Readonly<Record<Word, Message>>;
type Parts = Parameters<typeof adoptWords>[0];

const words = import.meta.glob<Words>("../languages/*/portal.ts", { import: "portal" });
const parts = import.meta.glob<Parts>("../languages/*/parts.ts", { import: "parts" });

let current: Partial<Words> = {};

/** `code`: the person's locale; "pseudo" reveals layouts that don't fit longer words. */
export async function loadWords(code: string): Promise<void> {
  const isPseudo = code === "pseudo";
  const language = isPseudo ? "en" : (code.split(/[-_]/)[0] ?? "en").toLowerCase();
  const known = languageCodes.includes(language) ? language : "en";
  const [loaded, shared] = await Promise.all([
    words[`../languages/${known}/portal.ts`]?.(),
    parts[`../languages/${known}/parts.ts`]?.(),
  ]);
  if (loaded !== undefined) current = isPseudo ? await lengthen(loaded) : loaded;
  adoptWords(shared ?? {}, isPseudo ? "en-GB" : code);
  document.documentElement.lang = known;
}

/** Loaded only when testing the layout. */
async function lengthen(loaded: Words): Promise<Words> {
  const { buildPseudoCatalogue } = await import("../languages/pseudo.ts");
  // The keys stay the same; only the texts change.
  return buildPseudoCatalogue(loaded as never) as unknown as Words;
}

export const t = (word: Word, values: Values = {}): string => {
  const message: Message | undefined = current[word];
  return message === undefined ? word : fillMessage(message, values);
};
