import { request as requestType } from "../../../records/work/request.ts";
import { writeMarks } from "../request/composer/mentions.ts";
import { appendPictures, type NoteFile, toAttachments } from "../request/composer/use-files.ts";
import { buildBody } from "../request/save/use-save.ts";
import type { NewRequestState } from "./form-state.ts";

/** The fields behind "Change", in the order of the form. */
export const furtherFields = [
  ...["category", "impact", "team", "member", "ci", "desired_completion_at", "requested_by", "urgent"],
] as const;

/** The body of the call: what was left out is derived by the server. */
export function buildRequestBody(
  state: NewRequestState,
  files: readonly NoteFile[],
  me: number,
): Record<string, unknown> {
  const note = appendPictures(writeMarks(state.details.trim()), files);
  const attachments = toAttachments(files);
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
  };
}
