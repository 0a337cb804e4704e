import type { DraftFile } from "../drafts/draft.ts";
import type { DraftHandle } from "../drafts/use-draft.ts";

export type UploadedFile = Omit<DraftFile, "key"> & {
  id: string;
  /** null while it is uploading */
  key: string | null;
  preview: string | null;
  /** for uploading it again to another account; absent if the page was reloaded since */
  source?: File;
};

/** The page's data about files that isn't part of their drafts, by upload and by key. */
const chosen = new Map<string, { source: File; preview: string | null }>();

/**
 * Files chosen, dropped or pasted: uploaded immediately, then part of the draft, and sent with it. `field`: the form
 * field of the files, if they don't belong to the text.
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
  const add = (added: readonly File[]): void =>
    store.upload(added, {
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

type SentFile = Pick<UploadedFile, "key" | "size" | "isPicture">;

/** The API's format: pictures are inline in the text, other files are attached. */
export const toAttachments = (files: readonly SentFile[]) =>
  files.flatMap(({ key, size, isPicture }) => (key === null ? [] : [{ key, filesize: size, inline: isPicture }]));

export const appendPictures = (text: string, files: readonly SentFile[]): string =>
  [text, ...files.flatMap(({ key, isPicture }) => (isPicture && key !== null ? [`![](${key})`] : []))]
    .filter((part) => part !== "")
    .join("\n\n");
