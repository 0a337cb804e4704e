import { Button } from "@mantine/core";
import IconLock from "@tabler/icons-react/dist/esm/icons/IconLock.mjs";
import IconMessageReply from "@tabler/icons-react/dist/esm/icons/IconMessageReply.mjs";
import IconSend from "@tabler/icons-react/dist/esm/icons/IconSend.mjs";
import { Icon } from "../../../elements/icon.tsx";
import { Kbd } from "../../../elements/kbd.tsx";
import { t } from "../../../languages/index.ts";
import { Timestamp } from "../../../parts/timestamp.tsx";
import { getReferencedName, type PageParts, readText } from "../page-parts.ts";
import { ComposerFiles } from "./composer-files.tsx";
import { ComposerTools } from "./composer-tools.tsx";
import { DraftNote } from "./draft-note.tsx";
import { NextStatusMenu } from "./next-status.tsx";
import { NoteInput } from "./note-input.tsx";
import { TimeSpent } from "./time-spent.tsx";
import { type Compose, type ComposeOptions, useCompose } from "./use-compose.ts";
import type { ComposerTab } from "./use-composer-draft.ts";

type Props = ComposeOptions & {
  onTab(tab: ComposerTab): void;
  /** shows another person's note that arrived while the person was writing */
  onRead(): void;
  onComplete(): void;
  onWait(choose: (until: string) => void): void;
  /** on a phone: one line until the person writes */
  brief: boolean;
};

/** Reply or internal note, time spent and the next status: one save that succeeds or fails as a whole. */
export function Composer(props: Props) {
  const { row, parts, onTab, inputRef, news, onRead, onLeave, brief } = props;
  const compose = useCompose(props);
  const { internal, draft, files } = compose;
  const requester = parts.requester === null ? "" : getReferencedName(row, parts.requester);
  const first = requester.split(/\s+/)[0] ?? "";
  const replyName = first === "" ? t("request.composer.note") : t("request.composer.reply", { name: first });
  const name = internal ? t("request.note.internal") : replyName;
  return (
    <section className="composer" aria-label={t("request.composer")} data-internal={internal || undefined}>
      {news !== null && <ComposerNews news={news} isAsked={compose.isAskedToRead} onRead={onRead} />}
      <div className="composer-head">
        <ComposerTabs parts={parts} internal={internal} replyName={replyName} onTab={onTab} />
        <DraftNote draft={draft} />
      </div>
      <NoteInput
        inputRef={inputRef}
        value={draft.text}
        onChange={compose.write}
        onMention={({ words, mark }) => draft.set((was) => ({ mentions: { ...was.mentions, [words]: mark } }))}
        readOnly={!draft.isLoaded}
        label={name}
        placeholder={brief ? name : t(internal ? "request.composer.internalHint" : "request.composer.hint")}
        onSend={compose.send}
        onEscape={() => {
          inputRef.current?.blur();
          onLeave?.();
        }}
        onFiles={files.add}
      />
      <ComposerFiles files={files} />
      <div className="composer-bar">
        <ComposerTools compose={compose} row={row} requester={parts.requester} />
        <ComposerSend {...props} compose={compose} />
      </div>
    </section>
  );
}

type NewsProps = { news: { name: string; at: string }; isAsked: boolean; onRead(): void };

/** Another person has written meanwhile. */
function ComposerNews({ news, isAsked, onRead }: NewsProps) {
  return (
    <div className="composer-news" role="status">
      <span>
        {t("request.composer.news", { name: news.name })} <Timestamp at={news.at} />
        {isAsked && ` · ${t("request.composer.sendAgain")}`}
      </span>
      <button type="button" className="text-button" onClick={onRead}>
        {t("request.composer.read")}
      </button>
    </div>
  );
}

type TabsProps = { parts: PageParts; internal: boolean; replyName: string; onTab(tab: ComposerTab): void };

function ComposerTabs({ parts, internal, replyName, onTab }: TabsProps) {
  return (
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
  );
}

/** The values sent along with the note, and the send button. */
function ComposerSend({ type, row, parts, onWait, onComplete, compose }: Props & { compose: Compose }) {
  const { draft } = compose;
  return (
    <div className="composer-send">
      {"time_spent" in type.fields && (
        <TimeSpent
          time={draft.time}
          onChange={(typed) => draft.set({ time: typed })}
          opened={compose.isTimeOpen}
          onOpened={compose.setTimeOpen}
          onDone={compose.goOn}
        />
      )}
      {type.fields.status?.access !== "readonly" && parts.isAccepted !== false && (
        <NextStatusMenu
          type={type}
          status={readText(row, "status")}
          parts={parts}
          next={draft.next}
          onChoose={(chosen) => {
            draft.set({ next: chosen });
            compose.goOn();
          }}
          onWait={() => onWait((until) => draft.set({ next: { status: "waiting_for", until } }))}
          onComplete={onComplete}
        />
      )}
      <Button
        className="composer-submit"
        onClick={compose.send}
        disabled={!compose.maySend}
        leftSection={<Icon of={IconSend} />}
        rightSection={<Kbd keys="mod+enter" />}
        aria-keyshortcuts="Control+Enter"
      >
        {t("request.composer.send")}
      </Button>
    </div>
  );
}
