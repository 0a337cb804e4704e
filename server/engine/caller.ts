import type { Viewer } from "./kinds/kind.ts";

/** An account as calls need it, kept in memory. */
export type Account = {
  id: string;
  name: string;
  directory: string | null;
  locale: string;
  time_zone: string;
  time_format_24h: boolean;
  organization: number | null;
};

/** The person a call is made as: what does not depend on the account of the call. */
export type Person = {
  id: number;
  name: string;
  account: string;
  locale: string;
  /** IANA zone */
  zone: string;
  zoneName: string;
  organization: number | null;
  site: number | null;
  /** roles by account */
  roles: ReadonlyMap<string, ReadonlySet<string>>;
};

/** Who is calling, in which account, as whom it may act. */
export type Caller = Viewer & {
  me: Person;
  home: Account;
  /** the account of the call */
  accountRecord: Account;
  /** the accounts whose shared records (people, organizations, sites) are visible in this call */
  directory: readonly string[];
  /** every account this person has a part in */
  parts: readonly string[];
  language: string;
  zone: string;
  /** default of `source` for records created by this call */
  source: string;
};
