import { inDays, type RelativeTime } from "./table.ts";

// Quillhaven makes optical instruments: a directory account, IT and facilities as its support domains, and an external
// provider. Everything is invented, and .example is a reserved domain.

export type DemoAccount = {
  id: string;
  directory?: string;
  fields: Readonly<Record<string, string>>;
  trusts: readonly string[];
  created: RelativeTime;
};

const europe = { currency: "eur", locale: "en-GB", time_zone: "Amsterdam" };

// biome-ignore format: a table keeps its columns
export const accounts: readonly DemoAccount[] = [
  { id: "quillhaven",    fields: { name: "Quillhaven Instruments", ...europe },                                  trusts: [],                                created: inDays(-730) },
  { id: "quillhaven-it", fields: { name: "Quillhaven IT", ...europe },                  directory: "quillhaven", trusts: ["nimbrook"],                      created: inDays(-729) },
  { id: "quillhaven-fm", fields: { name: "Quillhaven Workplace Services", ...europe },  directory: "quillhaven", trusts: ["nimbrook"],                      created: inDays(-700) },
  { id: "nimbrook",      fields: { name: "Nimbrook Managed Services", currency: "eur", locale: "en-GB", time_zone: "Warsaw" }, trusts: ["quillhaven-it", "quillhaven-fm"], created: inDays(-650) },
];

/** The people shown at the first start, with the account to work in. */
// biome-ignore format: a table keeps its columns
export const signIns = [
  { role: "administrator", email: "ines.calloway@quillhaven.example",  account: "quillhaven-it" },
  { role: "specialist",    email: "soren.lindqvist@quillhaven.example", account: "quillhaven-it" },
  { role: "requester",     email: "juno.whitlock@quillhaven.example",  account: "quillhaven-it" },
] as const;
