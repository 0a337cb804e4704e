import IconPaperclip from "@tabler/icons-react/dist/esm/icons/IconPaperclip.mjs";
import IconStack2 from "@tabler/icons-react/dist/esm/icons/IconStack2.mjs";
import { useEffect, useRef } from "react";
import type { RequestProgress } from "../../../records/answers/portal.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { formatSize } from "../../base/formats.ts";
import { daysAway, formatAhead, formatClock, formatExact } from "../../base/moments.ts";
import { Icon } from "../../elements/icon.tsx";
import { useNow } from "../../parts/now.ts";
import { Avatar } from "../../parts/people/avatar.tsx";
import { Markup } from "../parts/markup.tsx";
import { Loading } from "../parts/states.tsx";
import type { Note, PortalRequest } from "../queries.ts";
import { t } from "../words.ts";

type Props = { request: PortalRequest; notes: readonly Note[] | undefined; progress: RequestProgress | undefined };

/** The messages, newest last: mine on the right, theirs on the left. */
export function Conversation({ request, notes, progress }: Props) {
  const { who } = useCurrentAccount();
  const end = useRef<HTMLDivElement>(null);
  const count = notes?.length ?? 0;
  const seen = useRef(0);
  // A new message is scrolled into view, unless the person is reading further up.
  useEffect(() => {
    const isNear = innerHeight + scrollY > document.body.scrollHeight - 400;
    if (seen.current > 0 && count > seen.current && isNear) end.current?.scrollIntoView({ block: "nearest" });
    seen.current = count;
  }, [count]);
  if (notes === undefined) return <Loading />;
  return (
    <div className="conversation" role="log" aria-label={t("request.conversation")}>
      {notes.map((note, at) => (
        <div key={note.id} className="conversation-part">
          <DayLine note={note} before={notes[at - 1]} />
          <Bubble note={note} request={request} isMine={note.person?.id === who.person.id} />
        </div>
      ))}
      {(progress?.same ?? 0) > 0 && (
        <p className="conversation-line">
          <Icon of={IconStack2} size={16} /> {t("request.same", { count: progress?.same ?? 0 })}
        </p>
      )}
      <div ref={end} />
    </div>
  );
}

function DayLine({ note, before }: { note: Note; before: Note | undefined }) {
  const now = useNow();
  const at = Date.parse(note.created_at);
  if (before !== undefined && daysAway(at, Date.parse(before.created_at)) === 0) return null;
  const days = daysAway(at, now);
  const day =
    days === 0
      ? t("day.today")
      : days === -1
        ? t("day.yesterday")
        : formatAhead(at, now).replace(/[,]?\s*\d{1,2}:\d\d.*$/, "");
  return (
    <p className="day-line">
      <span>{day}</span>
    </p>
  );
}

function Bubble({ note, request, isMine }: { note: Note; request: PortalRequest; isMine: boolean }) {
  const at = Date.parse(note.created_at);
  const inline = new Map((note.attachments ?? []).map(({ key, uri }) => [key, uri]));
  const files = (note.attachments ?? []).filter((file) => !file.inline);
  const name = isMine ? t("request.you") : (note.person?.name ?? t("request.automatic"));
  const isRequester = note.person?.id === request.requested_by?.id || note.person?.id === request.requested_for?.id;
  const team = isMine || isRequester || note.person === null ? "" : (request.team?.name ?? "");
  return (
    <article className="bubble" data-mine={isMine || undefined} id={`note-${note.id}`}>
      <Avatar person={note.person} size={34} silent />
      <div className="bubble-card">
        <header>
          <b>{name}</b>
          {team !== "" && <span className="quiet">{team}</span>}
          <time className="quiet" dateTime={note.created_at} title={formatExact(at)}>
            {formatClock(at)}
          </time>
        </header>
        <Markup text={note.text ?? ""} image={(key) => inline.get(key) ?? null} />
        {files.length > 0 && (
          <ul className="bubble-files">
            {files.map((file) => (
              <li key={file.key}>
                <Icon of={IconPaperclip} />
                <a href={file.uri} rel="noreferrer noopener">
                  {file.name}
                </a>
                {file.size !== null && <span className="quiet small">{formatSize(file.size)}</span>}
              </li>
            ))}
          </ul>
        )}
      </div>
    </article>
  );
}
