import IconDeviceDesktop from "@tabler/icons-react/dist/esm/icons/IconDeviceDesktop.mjs";
import IconLock from "@tabler/icons-react/dist/esm/icons/IconLock.mjs";
import IconMail from "@tabler/icons-react/dist/esm/icons/IconMail.mjs";
import IconPaperclip from "@tabler/icons-react/dist/esm/icons/IconPaperclip.mjs";
import IconRobot from "@tabler/icons-react/dist/esm/icons/IconRobot.mjs";
import IconSend from "@tabler/icons-react/dist/esm/icons/IconSend.mjs";
import IconWorld from "@tabler/icons-react/dist/esm/icons/IconWorld.mjs";
import type { ReactNode } from "react";
import { formatSize } from "../../../base/formats.ts";
import { Chip } from "../../../elements/chip.tsx";
import { Icon, type IconComponent } from "../../../elements/icon.tsx";
import { t } from "../../../languages/index.ts";
import { Markup } from "../../../parts/markup/markup.tsx";
import { Avatar } from "../../../parts/people/avatar.tsx";
import { Timestamp } from "../../../parts/timestamp.tsx";
import type { NoteRow } from "../../../queries/record-page.ts";

type Props = {
  note: NoteRow;
  /** "Requester", or the team of the author */
  role: string;
  byRequester: boolean;
  /** of the feed */
  position: number;
  size: number;
  /** notes of records without a requester aren't sent */
  isSent: boolean;
  /** beside the author: their vote */
  mark?: ReactNode;
  /** content below the text */
  children?: ReactNode;
};

const origins: Readonly<Record<string, { icon: IconComponent; key: "email" | "system" | "automation" | "redacted" }>> =
  {
    email: { icon: IconMail, key: "email" },
    system: { icon: IconDeviceDesktop, key: "system" },
    automation: { icon: IconRobot, key: "automation" },
    redacted: { icon: IconLock, key: "redacted" },
  };

function Origin({ note, byRequester, isSent }: Pick<Props, "note" | "byRequester" | "isSent">) {
  if (note.internal)
    return (
      <Chip tone="yellow" icon={IconLock}>
        {t("request.note.internal")}
      </Chip>
    );
  const origin = origins[note.medium ?? ""];
  if (origin === undefined && !isSent) return null;
  const [icon, words] =
    origin !== undefined
      ? [origin.icon, t(`request.note.${origin.key}`)]
      : byRequester
        ? [IconWorld, t("request.note.selfService")]
        : [IconSend, t("request.note.sent")];
  return (
    <span className="note-origin">
      <Icon of={icon} size={14} /> <span className="note-origin-text">{words}</span>
    </span>
  );
}

/** A note as an article of the feed: author, kind, time, text. */
export function NoteEntry({ note, role, byRequester, position, size, isSent, mark, children }: Props) {
  const files = (note.attachments ?? []).filter(({ inline }) => !inline);
  const inline = new Map((note.attachments ?? []).map(({ key, uri }) => [key, uri]));
  const headId = `note-${note.id}-head`;
  return (
    <article
      className="entry entry-note"
      id={`note-${note.id}`}
      aria-labelledby={headId}
      aria-posinset={position}
      aria-setsize={size}
      tabIndex={-1}
      data-internal={note.internal || undefined}
    >
      <Avatar person={note.person === null ? null : { ...note.person, name: note.person.name }} size={28} silent />
      <div className="note-card">
        <header className="note-head" id={headId}>
          <b>{note.person?.name ?? t("request.change.automatic")}</b>
          {mark}
          {role !== "" && <span className="quiet note-role">{role}</span>}
          <Origin note={note} byRequester={byRequester} isSent={isSent} />
          <span className="quiet numbers">
            <Timestamp at={note.created_at} />
          </span>
        </header>
        <Markup text={note.text ?? ""} image={(key) => inline.get(key) ?? null} />
        {files.length > 0 && (
          <ul className="note-files">
            {files.map((file) => (
              <li key={file.key}>
                <Icon of={IconPaperclip} size={14} />
                <a href={file.uri} rel="noreferrer noopener">
                  {file.name}
                </a>
                {file.size !== null && <span className="quiet">{formatSize(file.size)}</span>}
              </li>
            ))}
          </ul>
        )}
        {children}
      </div>
    </article>
  );
}
