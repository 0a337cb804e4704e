// The types that the root fields open, and the scopes that they need. The check of a document reads it from the schema.

export type ScopeNeed = { type: string; action: "Read" | "Create" | "Update" | "Delete" | "All" };

export type RootField =
  | { is: "collection"; target: string }
  | { is: "node" }
  | { is: "me" }
  | { is: "account" }
  | { is: "storage" }
  | { is: "open" };

/** `scope`: one of them must be allowed */
export type MutationField = { scope: readonly ScopeNeed[] };
