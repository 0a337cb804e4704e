// What the server sends beside records. Those need no such list: records/ describes them.

export type WhoAmI = {
  csrf_token: string;
  /** from where on the stream tells what this page does not know */
  stream_position: string;
  person: { id: number; name: string; email: string; locale: string; time_zone: string; account: string };
  accounts: readonly { id: string; name: string; roles: readonly string[]; manages_team: boolean }[];
  /** how many per cent of the work of the demo company are there, while it arrives */
  arriving_work?: number;
};

/** "me", "account" or "team:<id>" */
export type KeptOwner = "me" | "account" | `team:${number}`;

/** How far a change of many records has come. */
export type BulkProgress = {
  state: "queued" | "processing" | "done" | "canceled" | "undoing" | "undone";
  total: number;
  done: number;
  changed: number;
  undone: number;
  refused: readonly BulkRefusal[];
  undo_until?: string;
};
export type BulkRefusal = { id: number; errors: readonly [string, string][] };
export type BulkPreview = { total: number; checked: number; refused: readonly BulkRefusal[] };

/** What is left of the work that came with the demo company. */
export type SampleWork = { counts: readonly { type: string; count: number }[]; removing: boolean };

/** The state of the settings at a glance; `kind` names a sentence of the interface. */
export type AttentionItem = { kind: string; id: number | null; name: string | null; count: number };
export type SettingsOverview = {
  counts: Readonly<Record<string, number>>;
  attention: readonly AttentionItem[];
};

export type Session = {
  id: number;
  current: boolean;
  created_at: string;
  last_seen_at: string;
  expires_at: string;
  user_agent: string;
  address: string;
};

export type Scope = { effect: "allow" | "deny"; actions: readonly string[]; accounts: readonly string[] };

/** What can stand before the colon of an action, and what after it. */
export type ScopeName = { name: string; label: string; operations: readonly string[] };

export type Token = {
  id: number;
  name: string;
  scopes: readonly Scope[];
  created_at: string;
  last_used_at: string | null;
};

export type Authorization = {
  id: number;
  application: { id: number; name: string; description: string | null; homepage_url: string | null };
  account: { id: string; name: string };
  scopes: readonly Scope[];
  created_at: string;
  last_used_at: string | null;
};

export type GrantType = "authorization_code" | "client_credentials";

export type Client = {
  id: number;
  client_id: string;
  disabled: boolean;
  created_at: string;
  last_used_at: string | null;
};

export type Application = {
  id: number;
  name: string;
  description: string | null;
  homepage_url: string | null;
  endpoints: readonly string[];
  grant_type: GrantType;
  scopes: readonly Scope[];
  disabled: boolean;
  person: { id: number; name: string; email: string } | null;
  clients: readonly Client[];
  created_at: string;
  updated_at: string;
};

export type ClientPair = { id: number; client_id: string; client_secret: string };

export type Mail = {
  id: number;
  recipient: string;
  subject: string;
  body: string;
  created_at: string;
  sent_at: string | null;
  state: "waiting" | "sent" | "failed" | "gathered" | "digested";
  error: string | null;
  person: { id: number; name: string } | null;
  record: { type: string; id: number } | null;
};

/** Mail that came in, and what became of it. */
export type ReceivedMail = {
  id: number;
  sender: string | null;
  recipient: string;
  subject: string | null;
  state: "waiting" | "done" | "failed";
  outcome: "request" | "note" | "ignored" | "rejected" | "unreadable" | null;
  reason: string | null;
  record_type: string | null;
  record_id: number | null;
  received_at: string;
};

export type EmailPolicy = {
  generate_new_requests: "never" | "only_from_allowed_people" | "always";
  allowed_senders: readonly string[];
  replies_as_notes: boolean;
  match_id_in_subject: boolean;
  allow_from: boolean;
  create_people: boolean;
  days_after_completion: number;
  has_secret: boolean;
};

export type Webhook = {
  id: number;
  name: string;
  event: string;
  uri: string;
  state: "active" | "unverified" | "failing" | "disabled";
  disabled: boolean;
  verified: boolean;
  last_error: string | null;
  failures: number;
  disabled_reason: string | null;
  waiting: number;
  created_at: string;
};

export type Delivery = {
  id: number;
  uuid: string;
  kind: "event" | "verify" | "test";
  event: string;
  record_id: number | null;
  state: "waiting" | "delivered" | "failed" | "dropped";
  reason: string | null;
  tries: number;
  next_try_at: string | null;
  created_at: string;
  finished_at: string | null;
  /** of the last try */
  status: number | null;
  error: string | null;
  milliseconds: number | null;
};

export type Attempt = {
  number: number;
  started_at: string;
  milliseconds: number;
  status: number | null;
  error: string | null;
  headers: Readonly<Record<string, string>> | null;
  body: string | null;
  next_try_at: string | null;
};

export type DeliveryDetails = Omit<Delivery, "status" | "error" | "milliseconds"> & {
  link: string | null;
  body: string | null;
  attempts: readonly Attempt[];
};

export type DeadJob = { id: number; kind: string; attempts: number; error: string | null; dead_at: string };

export type SecurityTrailEntry = {
  id: number;
  event: string;
  person: { id: number; name: string | null } | null;
  details: Readonly<Record<string, unknown>>;
  address: string | null;
  created_at: string;
};

export type RuleOutcome = "done" | "not met" | "failed" | "dropped";

/** A mistake in a text of an automation rule, and its place. */
export type RuleMistake = { field: string; line: number; column: number; message: string };

type RuleEvaluation = {
  outcome: RuleOutcome;
  expressions: readonly { name: string; value: string }[];
  condition: string | null;
  actions: readonly string[];
};
/** What a rule would do. */
export type RuleDryRun = RuleEvaluation & { error: { kind: string; message: string } | null };
/** What a rule did. */
export type RuleRun = RuleEvaluation & {
  id: number;
  record_type: string;
  record_id: number;
  trigger: string;
  started_at: string;
  person: { id: number; name: string } | null;
  error: string | null;
};
