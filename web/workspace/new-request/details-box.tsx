import { FileButton } from "@mantine/core";
import IconPaperclip from "@tabler/icons-react/dist/esm/icons/IconPaperclip.mjs";
import IconX from "@tabler/icons-react/dist/esm/icons/IconX.mjs";
import { useRef } from "react";
import { formatSize } from "../../base/formats.ts";
import { Icon } from "../../elements/icon.tsx";
import { t } from "../../languages/index.ts";
import type { Files } from "../../uploads/use-files.ts";
import type { Mention } from "../work-item/composer/mentions.ts";
import { NoteInput } from "../work-item/composer/note-input.tsx";

type Props = {
  value: string;
  error: string | undefined;
  files: Files;
  onChange(text: string): void;
  onMention(mention: Mention): void;
  onSend(): void;
};

/** The details with their files: pasted, dropped or chosen. */
export function DetailsBox({ value, error, files, onChange, onMention, onSend }: Props) {
  const input = useRef<HTMLTextAreaElement>(null);
  return (
    <div data-field="note">
      <span className="new-request-label">{t("newRequest.details")}</span>
      <div className="details-box">
        <NoteInput
          inputRef={input}
          value={value}
          onChange={onChange}
          onMention={onMention}
          label={t("newRequest.details")}
          placeholder=""
          onSend={onSend}
          onEscape={() => input.current?.blur()}
          onFiles={files.add}
        />
        <div className="details-foot">
          {files.files.map((file) => (
            <span key={file.id} className="chip" data-tone="outline">
              <Icon of={IconPaperclip} size={14} />
              <span className="truncate">{file.name}</span>
              <span className="quiet">
                {file.key === null ? t("request.composer.uploading") : formatSize(file.size)}
              </span>
              <button
                type="button"
                className="tool"
                aria-label={t("request.composer.removeFile", { name: file.name })}
                onClick={() => files.remove(file.id)}
              >
                <Icon of={IconX} size={14} />
              </button>
            </span>
          ))}
          <FileButton multiple onChange={files.add}>
            {(button) => (
              <button type="button" className="text-button small" {...button}>
                {t("newRequest.files")}
              </button>
            )}
          </FileButton>
        </div>
      </div>
      {error !== undefined && <p className="form-error">{error}</p>}
    </div>
  );
}
