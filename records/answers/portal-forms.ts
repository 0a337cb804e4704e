import {
  answer,
  boolean,
  integer,
  list,
  noted,
  object,
  operations,
  orNull,
  string,
  strings,
  word,
} from "../vocabulary/index.ts";
import { type AnswerOf, partOf } from "./answer-of.ts";

// The forms of request templates and shop articles in the portal.

const tag = "Portal";

const templateMembers = {
  subject: string(),
  localized_subject: noted("In the caller's language, if a translation exists.", string()),
};
export type PortalTemplate = AnswerOf<typeof portalTemplate>;
export const portalTemplate = partOf(
  "PortalTemplate",
  "request_template",
  ["category", "action_type", "service"],
  templateMembers,
);
export const formFieldKinds = [
  ...(["text", "long_text", "number", "date", "datetime", "email", "choice", "choices", "switch"] as const),
  ...(["files", "heading", "help"] as const),
] as const;
export type FormField = AnswerOf<typeof formField>;
export const formField = answer("FormField", {
  id: noted("The name of the field in `custom_fields`.", string()),
  kind: word(...formFieldKinds),
  label: string(),
  help: orNull(string()),
  required: boolean,
  options: list(object({ value: string(), label: string() })),
  when: noted(
    "The field is shown only while the given field has one of these values.",
    orNull(object({ field: string(), is: strings })),
  ),
});
const extensionMembers = {
  title: orNull(string()),
  fields: list(formField),
  hide_note: boolean,
  frame: noted(
    "The version of the UI extension whose script renders the form; null: the form consists of the fields only.",
    orNull(integer()),
  ),
};
export type ExtensionForm = AnswerOf<typeof extensionForm>;
export const extensionForm = answer("ExtensionForm", extensionMembers);

export type RequestForm = AnswerOf<typeof requestForm>;
export const requestForm = answer("RequestForm", {
  ...extensionMembers,
  template: partOf(
    "FormTemplate",
    "request_template",
    [
      ...(["category", "action_type", "service", "localized_registration_hints", "localized_note"] as const),
      "copy_subject_to_requests",
    ],
    { ...templateMembers, asset_selection: boolean },
  ),
  usual_minutes: noted(
    "The median completion time of the latest 50 requests, in minutes; null: fewer than three were completed.",
    orNull(integer()),
  ),
  steps: noted(
    "The steps after submission; `text` is the team.",
    list(object({ kind: word("approval", "work"), text: orNull(string()) })),
  ),
});

export const portalFormOperations = operations({
  "GET /portal/forms/:id": {
    id: "getRequestForm",
    tag,
    summary: "Retrieve the form of a request template",
    answer: requestForm,
    answers: "The template, the fields of its UI extension, the usual completion time and the next steps.",
  },
  "GET /portal/shop_articles/:id/form": {
    id: "getShopArticleForm",
    tag,
    summary: "Retrieve the form of a shop article",
    description:
      "The fields to fill in before the article is added to the cart. Their values become the `custom_fields` of the order line.",
    answer: extensionForm,
    answers: "The fields of the article's UI extension.",
  },
});
