import type { FormValues } from "../../parts/forms/extension-values.ts";
import type { Reference } from "../../queries/reference.ts";

// The input of the dialog: stored as a draft, and converted into the body of the call.

export type NewRequestState = {
  requested_for: Reference | null;
  service_instance: Reference | null;
  /** chosen by the person, not by a suggestion */
  serviceIsChosen: boolean;
  subject: string;
  details: string;
  template: Reference | null;
  knowledge_article: Reference | null;
  /** the fields behind "Change" */
  more: Readonly<Record<string, unknown>>;
  /** the answers to the template's form, one text per field */
  custom: FormValues;
  assignToMe: boolean;
};

export const emptyState: NewRequestState = {
  requested_for: null,
  service_instance: null,
  serviceIsChosen: false,
  subject: "",
  details: "",
  template: null,
  knowledge_article: null,
  more: {},
  custom: {},
  assignToMe: false,
};

export function parseState(text: string): NewRequestState {
  if (text === "") return emptyState;
  try {
    return { ...emptyState, ...JSON.parse(text) };
  } catch {
    return emptyState;
  }
}

export const isBlank = (state: NewRequestState): boolean =>
  JSON.stringify({ ...state, assignToMe: false }) === JSON.stringify(emptyState);

/** The name of a template form's field among the fields of the dialog. */
export const customName = (id: string): string => `custom_fields.${id}`;
