import { useState } from "react";
import { useCurrentAccount } from "../current-account.ts";

export type UploadedFile = {
  id: string;
  name: string;
  size: number;
  /** a picture is shown in the text */
  isPicture: boolean;
  /** null while it is uploaded */
  key: string | null;
  preview: string | null;
  /** for uploading it again, into another account; absent where the page was loaded since */
  source?: File;
};

/** Files chosen, dropped or pasted: uploaded at once, sent with the text. */
export function useUploads(onFailure: (error: unknown) => void) {
  const { api } = useCurrentAccount();
  const [files, setFiles] = useState<readonly UploadedFile[]>([]);
  const remove = (id: string) =>
    setFiles((was) => {
      const gone = was.find((file) => file.id === id);
      if (gone?.preview != null) URL.revokeObjectURL(gone.preview);
      return was.filter((file) => file.id !== id);
    });
  const add = (chosen: readonly File[]): void => {
    for (const file of chosen) {
      const id = crypto.randomUUID();
      const isPicture = /^image\/(png|jpe?g|gif|webp|avif)$/.test(file.type);
      const preview = isPicture ? URL.createObjectURL(file) : null;
      setFiles((was) => [
        ...was,
        { id, name: file.name, size: file.size, isPicture, key: null, preview, source: file },
      ]);
      api.upload(file).then(
        ({ key }) => setFiles((was) => was.map((each) => (each.id === id ? { ...each, key } : each))),
        (error: unknown) => {
          remove(id);
          onFailure(error);
        },
      );
    }
  };
  const putBack = (uploaded: readonly UploadedFile[]) => setFiles((was) => [...uploaded, ...was]);
  return { files, add, remove, putBack, clear: () => setFiles([]), isUploading: files.some(({ key }) => key === null) };
}
export type Files = ReturnType<typeof useUploads>;

/** What the API takes: pictures stand in the text, other files beside it. */
export const toAttachments = (files: readonly UploadedFile[]) =>
  files.flatMap(({ key, size, isPicture }) => (key === null ? [] : [{ key, filesize: size, inline: isPicture }]));

export const appendPictures = (text: string, files: readonly UploadedFile[]): string =>
  [text, ...files.flatMap(({ key, isPicture }) => (isPicture && key !== null ? [`![](${key})`] : []))]
    .filter((part) => part !== "")
    .join("\n\n");
