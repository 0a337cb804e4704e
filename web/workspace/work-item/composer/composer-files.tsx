import IconPaperclip from "@tabler/icons-react/dist/esm/icons/IconPaperclip.mjs";
import IconX from "@tabler/icons-react/dist/esm/icons/IconX.mjs";
import { formatSize } from "../../../base/formats.ts";
import { Icon } from "../../../elements/icon.tsx";
import { t } from "../../../languages/index.ts";
import type { Files } from "./use-files.ts";

/** The files of a note being written. */
export function ComposerFiles({ files: { files, remove } }: { files: Files }) {
  if (files.length === 0) return null;
  return (
    <ul className="composer-files">
      {files.map(({ id, name, size, key, preview }) => (
        <li key={id} data-busy={key === null || undefined}>
          {preview === null ? <Icon of={IconPaperclip} size={14} /> : <img src={preview} alt="" />}
          <span className="truncate">{name}</span>
          <span className="quiet">{key === null ? t("request.composer.uploading") : formatSize(size)}</span>
          <button
            type="button"
            className="tool"
            aria-label={t("request.composer.removeFile", { name })}
            onClick={() => remove(id)}
          >
            <Icon of={IconX} size={14} />
          </button>
        </li>
      ))}
    </ul>
  );
}
