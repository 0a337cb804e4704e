import { randomBytes } from "node:crypto";
import { sealText, unsealText } from "../base/sealed-text.ts";

// D-782: a link that works without a session is for its recipient alone, but administrators read the list of emails. An email
// is stored with a placeholder in place of the secret part; the sealed secrets are beside it, and only sending opens them.

const purpose = "secrets of an email";

/** `key`: the secret of the instance */
export type HiddenTexts = { key: string; texts: readonly string[] };

type Secrets = Readonly<Record<string, string>>;

/** Random: the author of a note must not be able to name the place where the secret of a reader will be. */
const createPlaceholder = (): string => `[hidden-${randomBytes(6).toString("hex")}]`;

/** The texts with placeholders, and what belongs there; null: nothing had to be hidden. */
export function hideTexts<T extends string | null>(
  { key, texts }: HiddenTexts,
  account: string,
  contents: readonly T[],
): { contents: T[]; sealed: string | null } {
  if (texts.length === 0) return { contents: [...contents], sealed: null };
  const secrets: Secrets = Object.fromEntries(texts.map((text) => [createPlaceholder(), text]));
  return {
    contents: contents.map((content) =>
      Object.entries(secrets).reduce((rest, [placeholder, text]) => rest?.replaceAll(text, placeholder) as T, content),
    ),
    sealed: sealText(key, purpose, account, JSON.stringify(secrets)),
  };
}

const openSecrets = (key: string, account: string, sealed: string | null): Secrets =>
  sealed === null ? {} : (JSON.parse(unsealText(key, purpose, account, sealed)) as Secrets);

/** The texts as the recipient gets them. */
export function showTexts<T extends string | null>(
  key: string,
  account: string,
  sealed: string | null,
  contents: readonly T[],
): T[] {
  const secrets = Object.entries(openSecrets(key, account, sealed));
  return contents.map((content) =>
    secrets.reduce((rest, [placeholder, text]) => rest?.replaceAll(placeholder, () => text) as T, content),
  );
}

/** For an email that is made of others. */
export const listHiddenTexts = (key: string, account: string, sealed: string | null): string[] =>
  Object.values(openSecrets(key, account, sealed));
