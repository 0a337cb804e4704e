import { Button, FileButton } from "@mantine/core";
import IconAt from "@tabler/icons-react/dist/esm/icons/IconAt.mjs";
import IconBold from "@tabler/icons-react/dist/esm/icons/IconBold.mjs";
import IconCloudCheck from "@tabler/icons-react/dist/esm/icons/IconCloudCheck.mjs";
import IconCode from "@tabler/icons-react/dist/esm/icons/IconCode.mjs";
import IconList from "@tabler/icons-react/dist/esm/icons/IconList.mjs";
import IconLock from "@tabler/icons-react/dist/esm/icons/IconLock.mjs";
import IconMessageReply from "@tabler/icons-react/dist/esm/icons/IconMessageReply.mjs";
import IconPaperclip from "@tabler/icons-react/dist/esm/icons/IconPaperclip.mjs";
import IconSend from "@tabler/icons-react/dist/esm/icons/IconSend.mjs";
import IconX from "@tabler/icons-react/dist/esm/icons/IconX.mjs";
import { type RefObject, useEffect, useState } from "react";
import { flushSync } from "react-dom";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import type { Row } from "../../../api.ts";
import { useDraft } from "../../../drafts/use-draft.ts";
import { formatSize } from "../../../formats.ts";
import { t } from "../../../languages/index.ts";
import { Icon, type IconComponent } from "../../../parts/icon.tsx";
import { Kbd } from "../../../parts/kbd.tsx";
import { Timestamp } from "../../../parts/timestamp.tsx";
import { tip } from "../../../parts/tip.tsx";
import { nameOf, type PageParts, textOf } from "../page-parts.ts";
import type { Changes } from "../save/use-save.ts";
import { writeMarks } from "./mentions.ts";
import { type NextStatus, NextStatusMenu } from "./next-status.tsx";
import { NoteInput } from "./note-input.tsx";
import { SnippetButton } from "./snippet-button.tsx";
import { TimeSpent } from "./time-spent.tsx";
import { appendPictures, toAttachments, useFiles } from "./use-files.ts";
import type { PendingNote, Written } from "./use-pending-notes.ts";

export type ComposerTab = "reply" | "internal";

type Props = {
  type: RecordType;
  row: Row;
  parts: PageParts;
  tab: ComposerTab;
  onTab(tab: ComposerTab): void;
  inputRef: RefObject<HTMLTextAreaElement | null>;
  /** somebody wrote after this person began: read first */
  news: { name: string; at: string } | null;
  onRead(): void;
  /** tells whether the person is writing, and since when */
  onWriting(since: number | null): void;
  onSend(note: Omit<PendingNote, "at" | "state" | "key">): void;
  onComplete(text: string): void;
  onWait(choose: (until: string) => void): void;
  /** the text is sent, or left for later: single keys act on the record again */
  onLeave?(): void;
  /** of a note that was taken back: it is put before what was begun since */
  returned: Written | null;
  onReturned(): void;
  /** on a phone: one line until somebody writes */
  brief: boolean;
};

/** Reply or internal note, time spent and the next status: one save that succeeds or fails as one. */
export function Composer(props: Props) {
  const {
    type,
    row,
    parts,
    tab,
    onTab,
    inputRef,
    news,
    onRead,
    onWriting,
    onSend,
    onComplete,
    onWait,
    onLeave,
    returned,
    onReturned,
    brief,
  } = props;
  const internal = tab === "internal" && parts.hasInternalNotes;
  // Both are loaded: whoever changes the tab types on without a pause.
  const reply = useDraft(`${type.name}/${row.id}/note`);
  const internalNote = useDraft(`${type.name}/${row.id}/internal_note`);
  const draft = internal ? internalNote : reply;
  const [minutes, setMinutes] = useState<number | null>(null);
  const [next, setNext] = useState<NextStatus | null>(null);
  const [asked, setAsked] = useState(false);
  const attachments = useFiles();
  const { text, setText } = draft;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a note that came back fills the input
  useEffect(() => {
    if (returned === null) return;
    setText([returned.text, text].filter((part) => part.trim() !== "").join("\n\n"));
    attachments.putBack(returned.files);
    setMinutes((begun) => returned.minutes ?? begun);
    setNext((begun) => returned.next ?? begun);
    onReturned();
  }, [returned]);
  const write = (value: string) => {
    setText(value);
    onWriting(value.trim() === "" ? null : Date.now());
  };
  const isEmpty = text.trim() === "" && attachments.files.length === 0;
  const field = internal ? "internal_note" : "note";
  const send = () => {
    if (attachments.isUploading || (isEmpty && next === null && minutes === null)) return;
    if (news !== null && !asked) return setAsked(true);
    const written = appendPictures(writeMarks(text.trim()), attachments.files);
    const files = toAttachments(attachments.files);
    const changes: Changes = {
      ...(written === "" ? {} : { [field]: written }),
      ...(files.length === 0 ? {} : { [`${field}_attachments`]: files }),
      ...(next === null ? {} : { status: next.status }),
      ...(next?.until === undefined ? {} : { waiting_until: next.until }),
      ...(minutes === null ? {} : { time_spent: minutes }),
    };
    onSend({ text: written, internal, changes, written: { text, files: attachments.files, minutes, next } });
    draft.remove();
    attachments.clear();
    setMinutes(null);
    setNext(null);
    setAsked(false);
    onWriting(null);
    onLeave?.();
  };
  /** Whoever has chosen something beside the text goes on with it, and sends it with the same key. */
  const goOn = () => setTimeout(() => inputRef.current?.focus());
  /** Puts marks around what is selected. */
  const surround = (before: string, after = before) => {
    const input = inputRef.current;
    if (input === null) return;
    const { selectionStart: from, selectionEnd: to } = input;
    flushSync(() => write(text.slice(0, from) + before + text.slice(from, to) + after + text.slice(to)));
    input.focus();
    input.setSelectionRange(from + before.length, to + before.length);
  };
  /** Puts a text at the cursor. */
  const insert = (added: string) => {
    const input = inputRef.current;
    const from = input?.selectionStart ?? text.length;
    const to = input?.selectionEnd ?? from;
    flushSync(() => write(text.slice(0, from) + added + text.slice(to)));
    input?.focus();
    input?.setSelectionRange(from + added.length, from + added.length);
  };
  const requester = parts.requester === null ? "" : nameOf(row, parts.requester);
  const first = requester.split(/\s+/)[0] ?? "";
  const replyName = first === "" ? t("request.composer.note") : t("request.composer.reply", { name: first });
  const name = internal ? t("request.note.internal") : replyName;
  const tool = (label: string, icon: IconComponent, run: () => void) => (
    <button type="button" className="tool" aria-label={label} {...tip(label)} onClick={run}>
      <Icon of={icon} />
    </button>
  );
  return (
    <section className="composer" aria-label={t("request.composer")} data-internal={internal || undefined}>
      {news !== null && (
        <div className="composer-news" role="status">
          <span>
            {t("request.composer.news", { name: news.name })} <Timestamp at={news.at} />
            {asked && ` · ${t("request.composer.sendAgain")}`}
          </span>
          <button type="button" className="text-button" onClick={onRead}>
            {t("request.composer.read")}
          </button>
        </div>
      )}
      <div className="composer-head">
        <div role="tablist" className="tabs" aria-label={t("request.composer")}>
          <button type="button" role="tab" className="tab" aria-selected={!internal} onClick={() => onTab("reply")}>
            <Icon of={IconMessageReply} /> <span className="tab-text">{replyName}</span>
            {internal && <Kbd keys="r" />}
          </button>
          {parts.hasInternalNotes && (
            <button type="button" role="tab" className="tab" aria-selected={internal} onClick={() => onTab("internal")}>
              <Icon of={IconLock} /> <span className="tab-text">{t("request.note.internal")}</span>
              {!internal && <Kbd keys="i" />}
            </button>
          )}
        </div>
        {text !== "" && (
          <span className="quiet draft-state">
            <Icon of={IconCloudCheck} />{" "}
            {draft.restored === null ? (
              t("request.composer.saved")
            ) : (
              <>
                {t(draft.restored.elsewhere ? "request.composer.elsewhere" : "request.composer.restored")}{" "}
                <Timestamp at={draft.restored.at} />
              </>
            )}
          </span>
        )}
      </div>
      <NoteInput
        inputRef={inputRef}
        value={text}
        onChange={write}
        readOnly={!draft.isLoaded}
        label={name}
        placeholder={brief ? name : t(internal ? "request.composer.internalHint" : "request.composer.hint")}
        onSend={send}
        onEscape={() => {
          inputRef.current?.blur();
          onLeave?.();
        }}
        onFiles={attachments.add}
      />
      {attachments.files.length > 0 && (
        <ul className="composer-files">
          {attachments.files.map((file) => (
            <li key={file.id} data-busy={file.key === null || undefined}>
              {file.preview === null ? <Icon of={IconPaperclip} size={14} /> : <img src={file.preview} alt="" />}
              <span className="truncate">{file.name}</span>
              <span className="quiet">
                {file.key === null ? t("request.composer.uploading") : formatSize(file.size)}
              </span>
              <button
                type="button"
                className="tool"
                aria-label={t("request.composer.removeFile", { name: file.name })}
                onClick={() => attachments.remove(file.id)}
              >
                <Icon of={IconX} size={14} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="composer-bar">
        <div className="tools">
          {tool(t("request.composer.bold"), IconBold, () => surround("*"))}
          {tool(t("request.composer.list"), IconList, () => surround("\n* ", ""))}
          {tool(t("request.composer.code"), IconCode, () => surround("`"))}
          {tool(t("request.composer.mention"), IconAt, () => surround("@", ""))}
          <FileButton multiple onChange={(files) => attachments.add(files)}>
            {(button) => (
              <button
                type="button"
                className="tool"
                aria-label={t("request.composer.attach")}
                {...tip(t("request.composer.attach"))}
                {...button}
              >
                <Icon of={IconPaperclip} />
              </button>
            )}
          </FileButton>
          <SnippetButton row={row} requester={parts.requester} text={text} onInsert={insert} />
        </div>
        <div className="composer-send">
          {"time_spent" in type.fields && (
            <TimeSpent
              minutes={minutes}
              onChange={(spent) => {
                setMinutes(spent);
                goOn();
              }}
            />
          )}
          {type.fields.status?.access !== "readonly" && parts.isAccepted !== false && (
            <NextStatusMenu
              type={type}
              status={textOf(row, "status")}
              parts={parts}
              next={next}
              onChoose={(chosen) => {
                setNext(chosen);
                goOn();
              }}
              onWait={() => onWait((until) => setNext({ status: "waiting_for", until }))}
              onComplete={() => onComplete(text)}
            />
          )}
          <Button
            className="composer-submit"
            onClick={send}
            disabled={attachments.isUploading || (isEmpty && next === null && minutes === null)}
            leftSection={<Icon of={IconSend} />}
            rightSection={<Kbd keys="mod+enter" />}
            aria-keyshortcuts="Control+Enter"
          >
            {t("request.composer.send")}
          </Button>
        </div>
      </div>
    </section>
  );
}
