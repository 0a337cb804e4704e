import { Button, FileButton } from "@mantine/core";
import IconAt from "@tabler/icons-react/dist/esm/icons/IconAt.mjs";
import IconBold from "@tabler/icons-react/dist/esm/icons/IconBold.mjs";
import IconCode from "@tabler/icons-react/dist/esm/icons/IconCode.mjs";
import IconList from "@tabler/icons-react/dist/esm/icons/IconList.mjs";
import IconLock from "@tabler/icons-react/dist/esm/icons/IconLock.mjs";
import IconMessageReply from "@tabler/icons-react/dist/esm/icons/IconMessageReply.mjs";
import IconPaperclip from "@tabler/icons-react/dist/esm/icons/IconPaperclip.mjs";
import IconSend from "@tabler/icons-react/dist/esm/icons/IconSend.mjs";
import { type RefObject, useEffect, useState } from "react";
import { flushSync } from "react-dom";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import type { Row } from "../../../api.ts";
import { type Draft, joinDrafts } from "../../../drafts/draft.ts";
import { t } from "../../../languages/index.ts";
import { Icon, type IconComponent } from "../../../parts/icon.tsx";
import { Kbd } from "../../../parts/kbd.tsx";
import { Timestamp } from "../../../parts/timestamp.tsx";
import { tip } from "../../../parts/tip.tsx";
import { nameOf, type PageParts, textOf } from "../page-parts.ts";
import type { Changes } from "../save/use-save.ts";
import { ComposerFiles } from "./composer-files.tsx";
import { DraftNote } from "./draft-note.tsx";
import { writeMarks } from "./mentions.ts";
import { NextStatusMenu } from "./next-status.tsx";
import { NoteInput } from "./note-input.tsx";
import { SnippetButton } from "./snippet-button.tsx";
import { parseMinutes, TimeSpent } from "./time-spent.tsx";
import { type ComposerTab, useComposerDraft } from "./use-composer-draft.ts";
import { appendPictures, toAttachments, useFiles } from "./use-files.ts";
import type { PendingNote } from "./use-pending-notes.ts";

type Props = {
  type: RecordType;
  row: Row;
  parts: PageParts;
  tab: ComposerTab;
  onTab(tab: ComposerTab): void;
  /** a draft of this tab was found */
  onRestoredTab(tab: ComposerTab): void;
  inputRef: RefObject<HTMLTextAreaElement | null>;
  /** somebody wrote after this person began: read first */
  news: { name: string; at: string } | null;
  onRead(): void;
  /** tells whether the person is writing, and since when */
  onWriting(since: number | null): void;
  onSend(note: Omit<PendingNote, "at" | "state" | "key">): void;
  onComplete(): void;
  onWait(choose: (until: string) => void): void;
  /** the text is sent, or left for later: single keys act on the record again */
  onLeave?(): void;
  /** of a note that was taken back: it is put before what was begun since */
  returned: Draft | null;
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
    onRestoredTab,
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
  const draft = useComposerDraft({ record: `${type.name}/${row.id}`, internal, inputRef, onRestoredTab });
  const [timeOpened, setTimeOpened] = useState(false);
  const [asked, setAsked] = useState(false);
  const attachments = useFiles(draft);
  const { text, time, next, setText } = draft;
  const minutes = parseMinutes(time);
  const isUnreadable = time.trim() !== "" && minutes === null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a note that came back fills the input
  useEffect(() => {
    if (returned === null) return;
    draft.set((begun) => joinDrafts(returned, begun));
    onReturned();
  }, [returned]);
  const write = (value: string) => {
    setText(value);
    onWriting(value.trim() === "" ? null : Date.now());
  };
  const isEmpty = text.trim() === "" && attachments.files.length === 0;
  const field = internal ? "internal_note" : "note";
  const hasNothing = isEmpty && next === null && !minutes && !isUnreadable;
  const send = () => {
    if (draft.isUploading || hasNothing) return;
    // A time that cannot be read is not left out: the person corrects it first.
    if (isUnreadable) return setTimeOpened(true);
    if (news !== null && !asked) return setAsked(true);
    const written = appendPictures(writeMarks(text.trim(), draft.mentions), draft.files);
    const files = toAttachments(draft.files);
    const changes: Changes = {
      ...(written === "" ? {} : { [field]: written }),
      ...(files.length === 0 ? {} : { [`${field}_attachments`]: files }),
      ...(next === null ? {} : { status: next.status }),
      ...(next?.until === undefined ? {} : { waiting_until: next.until }),
      ...(minutes ? { time_spent: minutes } : {}),
    };
    const { files: kept, mentions } = draft;
    onSend({ text: written, internal, changes, written: { text, files: kept, time, next, mentions } });
    draft.remove();
    setTimeOpened(false);
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
        <DraftNote draft={draft} />
      </div>
      <NoteInput
        inputRef={inputRef}
        value={text}
        onChange={write}
        onMention={({ words, mark }) => draft.set((was) => ({ mentions: { ...was.mentions, [words]: mark } }))}
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
      <ComposerFiles files={attachments} />
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
              time={time}
              onChange={(typed) => draft.set({ time: typed })}
              opened={timeOpened}
              onOpened={setTimeOpened}
              onDone={goOn}
            />
          )}
          {type.fields.status?.access !== "readonly" && parts.isAccepted !== false && (
            <NextStatusMenu
              type={type}
              status={textOf(row, "status")}
              parts={parts}
              next={next}
              onChoose={(chosen) => {
                draft.set({ next: chosen });
                goOn();
              }}
              onWait={() => onWait((until) => draft.set({ next: { status: "waiting_for", until } }))}
              onComplete={onComplete}
            />
          )}
          <Button
            className="composer-submit"
            onClick={send}
            disabled={draft.isUploading || hasNothing}
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
