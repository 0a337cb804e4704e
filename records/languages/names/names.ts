/** Names of record types, one and many, and of predefined filters. English names follow from the names on the wire. */
export type Names = {
  types: Readonly<Record<string, readonly [one: string, many: string]>>;
  views: Readonly<Record<string, string>>;
};
