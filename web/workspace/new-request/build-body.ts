import type { FormField } from "../../../records/answers/portal-forms.ts";
import { request as requestType } from "../../../records/work/request.ts";
import { buildCustomFields } from "../../parts/forms/extension-values.ts";
import { buildBody } from "../../parts/save/use-save.ts";
import { writeMarks } from "../work-item/composer/mentions.ts";
import { appendPictures, type NoteFile, toAttachments } from "../work-item/composer/use-files.ts";
import type { NewRequestState } from "./form-state.ts";

/** The fields behind "Change", in the order of the form. */
export const furtherFields = [
  "category",
  "impact",
  "team",
  "member",
  "ci",
  "desired_completion_at",
  "requested_by",
  "urgent",
] as const;

type FormDetails = {
  files: readonly NoteFile[];
  mentions: Readonly<Record<string, string>>;
  /** the fields of the template's form, and their files */
  fields: readonly FormField[];
  fieldFiles: readonly NoteFile[];
  me: number;
};

/** The body of the call: the server derives the missing values. */
export function buildRequestBody(
  state: NewRequestState,
  { files, mentions, fields, fieldFiles, me }: FormDetails,
): Record<string, unknown> {
  const note = appendPictures(writeMarks(state.details.trim(), mentions), files);
  const attachments = toAttachments(files);
  const custom = buildCustomFields(fields, state.custom);
  const ofFields = toAttachments(fieldFiles).map((file) => ({ ...file, inline: false }));
  const chosen = Object.fromEntries(
    Object.entries(state.more).filter(([, value]) => value !== null && value !== undefined && value !== ""),
  );
  return {
    ...(state.template === null && chosen.category === undefined ? { category: "incident" } : {}),
    ...buildBody(requestType, {
      ...(state.subject.trim() === "" ? {} : { subject: state.subject.trim() }),
      ...(state.requested_for === null ? {} : { requested_for: state.requested_for }),
      ...(state.service_instance === null ? {} : { service_instance: state.service_instance }),
      ...(state.template === null ? {} : { template: state.template }),
      ...(state.knowledge_article === null ? {} : { knowledge_article: state.knowledge_article }),
      ...chosen,
      ...(state.assignToMe ? { member: { id: me } } : {}),
    }),
    ...(note === "" ? {} : { note }),
    ...(attachments.length === 0 ? {} : { note_attachments: attachments }),
    ...(Object.keys(custom).length === 0 ? {} : { custom_fields: custom }),
    ...(ofFields.length === 0 ? {} : { custom_fields_attachments: ofFields }),
  };
}
