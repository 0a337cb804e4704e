import type { DraftHandle } from "../../drafts/use-draft.ts";
import { useUploads } from "../../uploads/use-files.ts";
import { showError } from "../frame/toasts.tsx";

export { appendPictures, type Files, toAttachments } from "../../uploads/use-files.ts";
export const useFiles = (draft: DraftHandle, field?: string) => useUploads(draft, showError, field);
