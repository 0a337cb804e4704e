// The origin of a change in its audit line. Plain data: callers carry it, the web interface names it.

export const originKinds = [
  "browser",
  "api",
  "graphql",
  "import",
  "bulk_change",
  "rule",
  "mail",
  "mail_link",
  "scim",
  "identity_provider",
  "privacy",
  "command_line",
  "sample_data",
  "system",
] as const;
export type OriginKind = (typeof originKinds)[number];

export type ChangeOrigin = {
  readonly kind: OriginKind;
  /** the network address of the client, */
  readonly address?: string;
  /** and what the account calls the network */
  readonly place?: string;
  /** the personal access token, or the OAuth application, that the client used */
  readonly token?: string;
  readonly application?: string;
  /** the import, bulk change or rule */
  readonly id?: string | number;
  /** the rule, SCIM token or identity provider */
  readonly name?: string;
  /** the line of the imported file */
  readonly row?: number;
  /** how many records the bulk change was about */
  readonly records?: number;
  /** takes an import or a bulk change back */
  readonly undo?: true;
};

/** Timers, schedules and other work of the service itself. */
export const systemOrigin: ChangeOrigin = { kind: "system" };
