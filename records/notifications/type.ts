/** What a mail says: in its subject, after the name of the record, and as its first sentence. {words} are filled in. */
export type Wording = { title: string; text: string };

export type MailLanguage = {
  notices: Readonly<Record<string, Wording>>;
  /** names of record types that no field has */
  types: Readonly<Record<string, string>>;
  /** around every mail */
  open: string;
  why: string;
  unsubscribe: string;
  answer: string;
  digest: Wording;
  /** the page where mails are turned off */
  leaving: { title: string; question: string; button: string; done: string; gone: string };
};
