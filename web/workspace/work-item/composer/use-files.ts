import type { DraftHandle } from "../../../drafts/use-draft.ts";
import { showError } from "../../../elements/toast.tsx";
import { useUploads } from "../../../uploads/use-files.ts";

export {
  appendPictures,
  type Files,
  toAttachments,
  type UploadedFile as NoteFile,
} from "../../../uploads/use-files.ts";
export const useFiles = (draft: DraftHandle, field?: string) => useUploads(draft, showError, field);
