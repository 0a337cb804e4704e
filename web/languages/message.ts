// What one message can be. Sentences are never put together from parts: a message with a number has a form for each
// plural category of its language, a message that depends on a word has a form for each word.

/** Chosen by `count`, with the categories of Intl.PluralRules; `other` serves all that have no form. */
type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

/** Chosen by the value named in `by`: `{ by: "doing", viewing: "…", writing: "…", other: "…" }`. */
type Select = Readonly<{ by: string; other: string } & Record<string, string>>;

export type Message = string | Plural | Select;

/** The messages of an area in another language: the same keys as the English file, no more and no less. */
export type Translation<English> = Readonly<Record<keyof English, Message>>;
