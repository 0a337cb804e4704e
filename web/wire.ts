// What the server sends beside records. Those need no such list: records/ describes them.

export type WhoAmI = {
  csrf_token: string;
  /** from where on the stream tells what this page does not know */
  stream_position: string;
  person: {
    id: number;
    name: string;
    email: string;
    locale: string;
    time_zone: string;
    /** the time zone as browsers know it */
    iana_zone: string;
    account: string;
  };
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

/** The words of one kind of mail, in every language. */
export type MailWording = {
  id: string;
  about: readonly string[];
  placeholders: readonly string[];
  texts: readonly { language: string; title: string; text: string; changed: boolean }[];
};

/** The state of the settings at a glance; `kind` names a sentence of the interface. */
export type AttentionItem = { kind: string; id: number | null; name: string | null; count: number };
export type SettingsOverview = {
  counts: Readonly<Record<string, number>>;
  attention: readonly AttentionItem[];
  account: { time_zone: string; locale: string; currency: string } | null;
};

/** How much the tabs of the audit page hold; above `most` it is not counted further. */
export type TrailCounts = { changes: number; security: number; signIns: number; access: number; most: number };

type TokenUse = { count: number; last_used_at: string | null };
/** How a person signs in. */
export type SignInMethods = {
  password: { changed_at: string } | null;
  second_factor: { created_at: string } | null;
  passkeys: readonly { name: string; created_at: string; last_used_at: string | null }[];
  identity_providers: readonly { name: string; last_used_at: string | null }[];
  sessions: readonly { user_agent: string; address: string; created_at: string; last_seen_at: string }[];
  personal_access_tokens: TokenUse;
  applications: TokenUse;
};
/** What signing out everywhere has ended. */
export type EndedAccess = { sessions: number; tokens: number; applications: number };

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
  expires_at: string | null;
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
  /** after so many it is given up */
  max_tries: number;
  link: string | null;
  body: string | null;
  attempts: readonly Attempt[];
};

/** A delivery among those of all webhooks. */
export type AccountDelivery = Delivery & { webhook_id: number; webhook_name: string | null };
export type DeliveryStatistics = {
  delivered: number;
  failed: number;
  waiting: number;
  retrying: number;
  dropped: number;
  /** as many as the list of that state shows, of whatever age */
  kept: { failed: number; waiting: number };
  median: number | null;
  p95: number | null;
  hours: readonly { hour: string; delivered: number; failed: number; waiting: number }[];
};
export type Sandbox = {
  key: string;
  uri: string;
  status: number;
  delay: number;
  created_at: string;
  expires_at: string;
};
export type SandboxMessage = {
  id: number;
  received_at: string;
  method: string;
  query: string | null;
  headers: Readonly<Record<string, string>>;
  body: string;
  size: number;
  answered_status: number;
  answered_at: string | null;
};
export type KeyRotation = {
  alg: string;
  key_id: string;
  next_key_id: string | null;
  next_from: string | null;
  public_key_pem?: string | null;
};

/** A call in the request log. */
export type ApiCall = {
  id: number;
  called_at: string;
  method: string;
  path: string;
  status: number;
  milliseconds: number;
  request_id: string;
  address: string | null;
  sent: string | null;
  answered: string | null;
  is_session: boolean;
  person: { id: number; name: string } | null;
  application: { id: number; name: string } | null;
  token: string | null;
  scopes: readonly { effect: string; actions: readonly string[] }[] | null;
};
export type ApiCaller = {
  application: { id: number; name: string } | null;
  token: { id: number; name: string } | null;
  person: { id: number; name: string } | null;
  is_session: boolean;
  calls: number;
  errors: number;
  refused: number;
};
export type ApiCallStatistics = {
  calls: number;
  callers: number;
  errors: number;
  median: number | null;
  p99: number | null;
  hours: readonly { hour: string; calls: number; errors: number }[];
  by_caller: readonly ApiCaller[];
};

export type DeadJob = { id: number; kind: string; attempts: number; error: string | null; dead_at: string };

export type SecurityTrailEntry = {
  id: number;
  event: string;
  person: { id: number; name: string | null } | null;
  /** the name of the person concerned */
  subject: string | null;
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
/** Something that can stand at the cursor of a rule. */
export type RuleSuggestion = {
  text: string;
  kind: "field" | "relation" | "name" | "function" | "choice" | "word" | "type";
  type: string | null;
  value: string | null;
};
/** An action that fires the trigger of its own rule again, through these rules. */
export type RuleLoop = { action: number; through: readonly string[] };
export type RuleCheck = { problem: RuleMistake | null; loops: readonly RuleLoop[] };
export type RuleChange = {
  record_type: string;
  record_id: number;
  name: string;
  action: "create" | "update" | "destroy";
  fields: readonly { field: string; before: string; after: string }[];
};
export type RuleEffect =
  | { kind: "note"; record_type: string; record_id: number; internal: boolean; text: string }
  | { kind: "email"; to: readonly string[]; subject: string; body: string }
  | { kind: "webhook"; name: string; payload: Readonly<Record<string, unknown>> }
  | { kind: "start"; rule: string; at: string };
/** What a rule would do. */
export type RuleDryRun = Omit<RuleEvaluation, "expressions"> & {
  expressions: readonly { name: string; value: string; error: string | null }[];
  error: { kind: string; message: string } | null;
  milliseconds: number;
  changes: readonly RuleChange[];
  effects: readonly RuleEffect[];
};
export type RuleStatistics = { rule_id: number; runs: number; failures: number; last_run_at: string };
/** What a rule did. */
export type RuleRun = RuleEvaluation & {
  id: number;
  rule_id: number;
  rule_name: string;
  milliseconds: number;
  record_type: string;
  record_id: number;
  trigger: string;
  started_at: string;
  person: { id: number; name: string } | null;
  error: string | null;
};

/** The two-step sign-in of the person; `enabled_at` null: off. */
export type SecondFactor = {
  is_required: boolean;
  enabled_at: string | null;
  recovery_codes_left: number;
  trusted_devices: number;
};
export type SecondFactorSetup = { token: string; key: string; uri: string };
export type SignInPolicy = {
  second_factor: "optional" | "roles" | "everyone";
  second_factor_roles: readonly string[];
  sign_in_methods: readonly ("password" | "passkey" | "single_sign_on")[];
  minimum_password_length: number;
  refuse_common_passwords: boolean;
  idle_session_minutes: number;
  longest_session_hours: number;
  longest_token_days: number;
  tokens_without_expiry: boolean;
  web_networks: readonly string[];
  api_networks: readonly string[];
  named_networks: readonly string[];
};
export type Passkey = { id: number; name: string; created_at: string; last_used_at: string | null };
export type TokenRules = { usual_days: number; longest_days: number; may_never_expire: boolean };
