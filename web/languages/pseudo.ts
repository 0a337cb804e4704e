import type { Message } from "./message.ts";

// A language for tests of the layout: English that is 40 percent longer, with marks on the letters, so that text that
// was not translated and boxes that are too small show at once.

const marked: Readonly<Record<string, string>> = {
  a: "à",
  e: "é",
  i: "î",
  o: "ö",
  u: "ü",
  y: "ý",
  c: "ç",
  n: "ñ",
  A: "Å",
  E: "É",
  I: "Î",
  O: "Ö",
  U: "Ü", // biome-ignore format: one line
};

/** The added words are as long as long words of German, so that a paragraph wraps. */
export function toPseudo(text: string): string {
  const letters = text
    .split(/(\{\w+\})/)
    .map((part) => (part.startsWith("{") ? part : part.replace(/[a-zA-Z]/g, (letter) => marked[letter] ?? letter)))
    .join("");
  const more = "~".repeat(Math.ceil(text.length * 0.4)).match(/~{1,20}/g) ?? [];
  return `[${letters}${more.join(" ")}]`;
}

function translate(message: Message): Message {
  if (typeof message === "string") return toPseudo(message);
  const forms = Object.entries(message as Readonly<Record<string, string>>);
  return Object.fromEntries(forms.map(([form, text]) => [form, form === "by" ? text : toPseudo(text)])) as Message;
}

export const buildPseudoCatalogue = <Key extends string>(
  catalogue: Readonly<Record<Key, Message>>,
): Readonly<Record<Key, Message>> =>
  Object.fromEntries(
    Object.entries<Message>(catalogue).map(([key, message]) => [key, translate(message)]),
  ) as unknown as Readonly<Record<Key, Message>>;
