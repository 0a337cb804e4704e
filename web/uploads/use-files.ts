import type { DraftFile } from "../drafts/draft.ts";
import type { DraftHandle } from "../drafts/use-draft.ts";

export type UploadedFile = Omit<DraftFile, "key"> & {
  id: string;
  /** null while it is uploaded */
  key: string | null;
  preview: string | null;
  /** for uploading it again, into another account; absent where the page was loaded since */
  source?: File;
};

/** What this page knows of its files beyond their drafts, by upload and by key. */
const chosen = new Map<string, { source: File; preview: string | null }>();

/**
 * Files chosen, dropped or pasted: uploaded at once, part of the draft from then on, and sent with it. `field`: of a form
 * that asks for files beside its text.
 */
export function useUploads(draft: DraftHandle, onFailure: (error: unknown) => void, field?: string) {
  const { store } = draft;
  const uploads = store.getState().uploads.map((upload) => ({ ...upload, key: null }));
  const files = [...draft.files.map((file) => ({ ...file, id: file.key })), ...uploads]
    .filter((file) => file.field === field)
    .map((file): UploadedFile => ({ ...file, preview: null, ...chosen.get(file.id) }));
  const remove = (id: string) => {
    const preview = chosen.get(id)?.preview ?? null;
    if (preview !== null) URL.revokeObjectURL(preview);
    chosen.delete(id);
    store.removeFile(id);
  };
  const add = (given: readonly File[]): void =>
    store.upload(given, {
      field,
      onFailure,
      onBegun: (id, source, isPicture) =>
        chosen.set(id, { source, preview: isPicture ? URL.createObjectURL(source) : null }),
      onUploaded: (id, key) => {
        const known = chosen.get(id);
        if (known !== undefined) chosen.set(key, known);
        chosen.delete(id);
      },
    });
  const clear = () => store.set((was) => ({ files: was.files.filter((file) => file.field !== field) }));
  return { files, add, remove, clear, isUploading: files.some(({ key }) => key === null) };
}
export type Files = ReturnType<typeof useUploads>;

type Sent = Pick<UploadedFile, "key" | "size" | "isPicture">;

/** What the API takes: pictures stand in the text, other files beside it. */
export const toAttachments = (files: readonly Sent[]) =>
  files.flatMap(({ key, size, isPicture }) => (key === null ? [] : [{ key, filesize: size, inline: isPicture }]));

export const appendPictures = (text: string, files: readonly Sent[]): string =>
  [text, ...files.flatMap(({ key, isPicture }) => (isPicture && key !== null ? [`![](${key})`] : []))]
    .filter((part) => part !== "")
    .join("\n\n");
