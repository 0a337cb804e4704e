import type { Row } from "./call.ts";

// What the portal reads, as it is sent.

export type PortalBroadcast = Row & {
  message: string;
  message_type: string;
  request: { id: number } | null;
  end_at: string | null;
  updated_at: string;
};
export type PortalRequest = Row & {
  subject: string;
  status: string;
  category: string;
  completion_reason: string | null;
  requested_by: PortalPerson | null;
  requested_for: PortalPerson | null;
  team: { id: number; name: string } | null;
  member: PortalPerson | null;
  service_instance: { id: number; name: string; localized_name?: string } | null;
  requester_resolution_target_at: string | null;
  waiting_until: string | null;
  completed_at: string | null;
  satisfaction: string | null;
  approvers?: readonly string[];
  created_at: string;
  updated_at: string;
};
export type PortalPerson = { id: number; name: string };
export type PortalTemplate = Row & {
  subject: string;
  localized_subject: string;
  category: string | null;
  action_type: string | null;
  service: { id: number; name: string; localized_name: string } | null;
};
/** what is ordered and what one of it costs */
export type PortalOrderedLine = {
  name: string;
  quantity: string;
  requested_for: string | null;
  price: string | null;
  price_currency: string | null;
  recurring_price: string | null;
  recurring_price_currency: string | null;
  recurring_period: string | null;
};
export type PortalApproval = {
  task: number;
  subject: string;
  status: string;
  instructions: string | null;
  due_at: string | null;
  finished_at: string | null;
  workflow: string | null;
  asked_by: string | null;
  in_place_of: string | null;
  required: number;
  votes: readonly { name: string; status: string }[];
  request: {
    id: number;
    subject: string;
    requested_by: string | null;
    requested_for: string | null;
    note: string | null;
    lines: readonly PortalOrderedLine[];
  } | null;
};
export type PortalHome = {
  broadcasts: readonly PortalBroadcast[];
  requests: { open: readonly PortalRequest[]; open_total: number; total: number; is_total_old: boolean };
  approvals: { items: readonly PortalApproval[]; total: number };
  templates: readonly PortalTemplate[];
  services: readonly (Row & { name: string; localized_name: string })[];
  articles: readonly (Row & { subject: string })[];
  offers: { shop: number; reservations: number };
};
export type PortalField = {
  id: string;
  kind: string;
  label: string;
  help: string | null;
  required: boolean;
  options: readonly { value: string; label: string }[];
  when: { field: string; is: readonly string[] } | null;
};
/** `frame`: the version of a UI extension whose script makes the form; null: the fields are all there is */
export type PortalExtensionForm = {
  title: string | null;
  fields: readonly PortalField[];
  hide_note: boolean;
  frame: number | null;
};
export type PortalForm = PortalExtensionForm & {
  template: PortalTemplate & {
    localized_registration_hints: string | null;
    localized_note: string | null;
    asset_selection: boolean;
  };
  usual_minutes: number | null;
  steps: readonly { kind: "approval" | "work"; text: string | null }[];
};
export type PortalProgress = {
  working_at: string | null;
  approvers: readonly string[];
  same: number;
  agreement: { minutes: number; impact: string | null } | null;
  may_rate: boolean;
  articles: readonly { id: number; subject: string }[];
  lines: readonly PortalOrderedLine[];
  /** the page of a survey about the service */
  survey: { name: string; service: string; url: string } | null;
};

export type PortalReservations = {
  offers: readonly {
    id: number;
    name: string;
    time_zone: string;
    min_duration: number;
    max_duration: number;
    step_duration: number;
    multi_day: boolean;
    allow_repeat: boolean;
    items: readonly { id: number; name: string; label: string | null; location: string | null }[];
    /** a reservation is made with one of these */
    templates: readonly { id: number; subject: string; localized_subject: string }[];
  }[];
  own: readonly (Row & {
    name: string;
    ci: { name: string } | null;
    start_at: string;
    end_at: string;
    status: string;
  })[];
};
export type PortalFreeTimes = {
  items: readonly {
    id: number;
    name: string;
    /** `taken_at`: when somebody else needs the item next */
    free: readonly { from: string; until: string; taken_at: string | null }[];
  }[];
};
/** A hit of the search, in the language of the reader where there is a translation. */
export type PortalFoundArticle = { id: number; title: string; details: string };
export type PortalArticleEntry = Row & {
  subject: string;
  service: { id: number; name: string; localized_name?: string } | null;
};
export type PortalArticle = PortalArticleEntry & {
  description: string;
  instructions: string;
  updated_at: string;
  attachments?: readonly { key: string; name: string; uri: string; inline: boolean }[];
  locale: string;
  /** every language that it can be read in, the original first */
  locales: readonly string[];
};
