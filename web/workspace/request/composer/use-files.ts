import { useState } from "react";
import { useCurrentAccount } from "../../../current-account.ts";
import { showError } from "../../../parts/toast.tsx";

export type NoteFile = {
  id: string;
  name: string;
  size: number;
  /** a picture is shown in the text */
  isPicture: boolean;
  /** null while it is uploaded */
  key: string | null;
  preview: string | null;
};

/** Files of a note: uploaded at once, sent with it. */
export function useFiles() {
  const { api } = useCurrentAccount();
  const [files, setFiles] = useState<readonly NoteFile[]>([]);
  const remove = (id: string) =>
    setFiles((was) => {
      const gone = was.find((file) => file.id === id);
      if (gone?.preview != null) URL.revokeObjectURL(gone.preview);
      return was.filter((file) => file.id !== id);
    });
  const add = (chosen: readonly File[]): void => {
    for (const file of chosen) {
      const id = crypto.randomUUID();
      const isPicture = file.type.startsWith("image/");
      const preview = isPicture ? URL.createObjectURL(file) : null;
      setFiles((was) => [...was, { id, name: file.name, size: file.size, isPicture, key: null, preview }]);
      api.upload(file).then(
        ({ key }) => setFiles((was) => was.map((each) => (each.id === id ? { ...each, key } : each))),
        (error: unknown) => {
          remove(id);
          showError(error);
        },
      );
    }
  };
  return { files, add, remove, clear: () => setFiles([]), isUploading: files.some(({ key }) => key === null) };
}

/** What the API takes: pictures stand in the text, other files beside it. */
export const toAttachments = (files: readonly NoteFile[]) =>
  files.flatMap(({ key, size, isPicture }) => (key === null ? [] : [{ key, filesize: size, inline: isPicture }]));

export const appendPictures = (text: string, files: readonly NoteFile[]): string =>
  [text, ...files.flatMap(({ key, isPicture }) => (isPicture && key !== null ? [`![](${key})`] : []))]
    .filter((part) => part !== "")
    .join("\n\n");
