import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Message } from "../../web/languages/message.ts";

const folder = join(import.meta.dirname, "../../web/languages");

export type Translation = { code: string; words: Readonly<Record<string, Message>> };

/** The languages of the interface besides English: each is a folder. */
export async function listTranslations(): Promise<Translation[]> {
  const codes = readdirSync(folder, { withFileTypes: true }).flatMap((each) =>
    each.isDirectory() && each.name !== "en" ? [each.name] : [],
  );
  return Promise.all(
    codes.map(async (code) => ({ code, words: (await import(join(folder, code, "index.ts"))).words })),
  );
}
