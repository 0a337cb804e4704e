import type { Row } from "../../api/index.ts";
import type { Reference } from "../../queries/reference.ts";
import { toWallClock } from "./wall-clock.ts";

// The values of a broadcast being edited.

/** The list field for a visibility, and the type of its records. */
// biome-ignore format: a table keeps its columns
const lists: Readonly<Record<string, { field: string; to: string }>> = {
  customers:                     { field: "customers",         to: "organization" },
  organizations:                 { field: "organizations",     to: "organization" },
  organizations_and_descendants: { field: "organizations",     to: "organization" },
  covered_for:                   { field: "service_instances", to: "service_instance" },
  sites:                         { field: "sites",             to: "site" },
  members_of_skill_pools:        { field: "skill_pools",       to: "skill_pool" },
  members_of_teams:              { field: "teams",             to: "team" },
};
export const getList = (visibility: string): { field: string; to: string } | null => lists[visibility] ?? null;

export type Translation = { id: number; locale: string; message: string; updated_at: string };

export type BroadcastForm = {
  message_type: string;
  visibility: string;
  /** the records of the list that the visibility uses */
  listed: readonly Reference[];
  start_at: string;
  end_at: string;
  time_zone: string;
  request: Reference | null;
  end_on_completion: boolean;
  show_as_solved: boolean;
  remarks: string;
  /** by locale; an empty text isn't a translation */
  messages: Readonly<Record<string, string>>;
};

const isReference = (value: unknown): value is Reference =>
  typeof value === "object" && value !== null && "id" in value;
const readReferences = (value: unknown): readonly Reference[] =>
  Array.isArray(value) ? value.filter(isReference) : [];

export function buildForm(
  row: Row | null,
  translations: readonly Translation[],
  defaults: { locale: string; time_zone: string },
): BroadcastForm {
  const visibility = String(row?.visibility ?? "all_of_account");
  const zone = String(row?.time_zone ?? defaults.time_zone);
  const moment = (name: string) => (typeof row?.[name] === "string" ? toWallClock(row[name], zone) : "");
  return {
    message_type: String(row?.message_type ?? "info"),
    visibility,
    listed: readReferences(row?.[getList(visibility)?.field ?? ""]),
    start_at: moment("start_at"),
    end_at: moment("end_at"),
    time_zone: zone,
    request: isReference(row?.request) ? row.request : null,
    // By default, a new broadcast ends with its request.
    end_on_completion: row === null || row.end_on_completion === true,
    show_as_solved: row === null || row.show_as_solved === true,
    remarks: String(row?.remarks ?? ""),
    messages: {
      ...Object.fromEntries(translations.map(({ locale, message }) => [locale, message])),
      ...(row === null ? {} : { [defaults.locale]: String(row.message ?? "") }),
    },
  };
}

const listMembers = ({ visibility, listed }: BroadcastForm): Record<string, (number | string)[]> => {
  const list = getList(visibility);
  return list === null ? {} : { [`${list.field.replace(/s$/, "")}_ids`]: listed.map(({ id }) => id) };
};

/** The body for counting the audience of an unsaved broadcast. */
export const buildAudienceBody = (form: BroadcastForm) => ({ visibility: form.visibility, ...listMembers(form) });

export const buildBody = (form: BroadcastForm, locale: string): Record<string, unknown> => ({
  message: form.messages[locale] ?? "",
  message_type: form.message_type,
  visibility: form.visibility,
  ...listMembers(form),
  time_zone: form.time_zone,
  ...(form.start_at === "" ? {} : { start_at: `${form.start_at}:00` }),
  end_at: form.end_at === "" ? null : `${form.end_at}:00`,
  request_id: form.request?.id ?? null,
  end_on_completion: form.request !== null && form.end_on_completion,
  show_as_solved: form.request !== null && form.end_on_completion && form.show_as_solved,
  remarks: form.remarks === "" ? null : form.remarks,
});

/** The changed translations, without the original. */
export const changedTranslations = (
  { messages }: BroadcastForm,
  translations: readonly Translation[],
  locale: string,
): { locale: string; text: string; saved: Translation | undefined }[] =>
  Object.entries(messages)
    .filter(([each]) => each !== locale)
    .map(([each, text]) => ({
      locale: each,
      text: text.trim(),
      saved: translations.find((translation) => translation.locale === each),
    }))
    .filter(({ text, saved }) => text !== (saved?.message ?? ""));

export type BroadcastState = "planned" | "shown" | "over";

/** A broadcast with `disabled`, `start_at` and `end_at`. */
type BroadcastRow = Readonly<Record<string, unknown>>;

export function getState(row: BroadcastRow, now: number): BroadcastState {
  if (row.disabled === true) return "over";
  if (Date.parse(String(row.start_at)) > now) return "planned";
  return typeof row.end_at === "string" && Date.parse(row.end_at) <= now ? "over" : "shown";
}
