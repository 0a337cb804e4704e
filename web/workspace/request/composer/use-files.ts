import { showError } from "../../../parts/toast.tsx";
import { useUploads } from "../../../uploads/use-files.ts";

export { appendPictures, toAttachments, type UploadedFile as NoteFile } from "../../../uploads/use-files.ts";
export const useFiles = () => useUploads(showError);
