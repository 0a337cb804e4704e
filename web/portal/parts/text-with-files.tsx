import IconPaperclip from "@tabler/icons-react/dist/esm/icons/IconPaperclip.mjs";
import IconX from "@tabler/icons-react/dist/esm/icons/IconX.mjs";
import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useRef,
  useState,
} from "react";
import { formatSize } from "../../base/formats.ts";
import { Icon } from "../../elements/icon.tsx";
import { t } from "../words.ts";
import type { Files } from "./use-files.ts";

type Props = {
  id: string;
  label?: string;
  value: string;
  onChange(text: string): void;
  files: Files;
  placeholder: string;
  rows: number;
  onSend?(): void;
  inputRef?: Ref<HTMLTextAreaElement>;
  required?: boolean;
  describedBy?: string | undefined;
  invalid?: boolean;
  /** beside "Add a file" */
  children?: ReactNode;
};

/** A text area that accepts files by file dialog, paste and drop. */
export function TextWithFiles(props: Props) {
  const { id, label, value, onChange, files, placeholder, rows, onSend, inputRef, required, describedBy, invalid } =
    props;
  const [over, setOver] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);
  const take = (event: ClipboardEvent | DragEvent, list: FileList) => {
    setOver(false);
    if (list.length === 0) return;
    event.preventDefault();
    files.add([...list]);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey) && onSend !== undefined) {
      event.preventDefault();
      onSend();
    }
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files can be dropped here; the button below does the same
    <div
      className="text-box"
      data-over={over || undefined}
      data-invalid={invalid || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => take(event, event.dataTransfer.files)}
    >
      <div className="grow" data-value={`${value}\n`}>
        <textarea
          id={id}
          ref={inputRef}
          rows={rows}
          value={value}
          placeholder={placeholder}
          aria-label={label}
          aria-describedby={describedBy}
          aria-invalid={invalid || undefined}
          required={required}
          onChange={(event) => onChange(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          onPaste={(event) => take(event, event.clipboardData.files)}
        />
      </div>
      <FileList files={files} />
      <div className="text-box-foot">
        <button type="button" className="plain add-file" onClick={() => chooser.current?.click()}>
          <Icon of={IconPaperclip} size={18} /> <span>{t("files.add")}</span>
        </button>
        <input
          ref={chooser}
          type="file"
          multiple
          hidden
          aria-label={t("files.add")}
          onChange={(event) => {
            files.add([...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = "";
          }}
        />
        {props.children}
      </div>
    </div>
  );
}

export function FileList({ files: { files, remove } }: { files: Files }) {
  if (files.length === 0) return null;
  return (
    <ul className="files">
      {files.map(({ id, name, size, key, preview }) => (
        <li key={id} data-uploading={key === null || undefined}>
          {preview === null ? <Icon of={IconPaperclip} /> : <img src={preview} alt="" />}
          <span className="file-name">{name}</span>
          <span className="quiet small">{key === null ? t("files.uploading") : formatSize(size)}</span>
          <button type="button" className="plain" aria-label={t("files.remove", { name })} onClick={() => remove(id)}>
            <Icon of={IconX} />
          </button>
        </li>
      ))}
    </ul>
  );
}
