import { useEffect, useState } from "react";
import { useActions } from "../../../actions/registry.ts";
import { useCurrentAccount } from "../../../api/current-account.ts";
import { errorText } from "../../../elements/error-text.ts";
import { t } from "../../../languages/index.ts";
import { Markup } from "../../../parts/markup/markup.tsx";
import { Avatar } from "../../../parts/people/avatar.tsx";
import { type PendingNote, sendDelay, type usePendingNotes } from "./use-pending-notes.ts";

/** The unsent notes, one entry each. `onUndo`: undoes the one with this key */
export const listPendingEntries = (
  { notes, sendNow }: Pick<ReturnType<typeof usePendingNotes>, "notes" | "sendNow">,
  onUndo: (key: string) => void,
) => {
  const last = notes.findLast(({ state }) => state === "waiting");
  return notes.map((note) => (
    <PendingEntry
      key={note.key}
      note={note}
      hasKey={note === last}
      onUndo={() => onUndo(note.key)}
      onRetry={() => void sendNow(note.key)}
    />
  ));
};

type Props = {
  note: PendingNote;
  /** whether the undo key applies to this note */
  hasKey: boolean;
  onUndo(): void;
  onRetry(): void;
};

/** An unsent note: "Sending… Undo". */
function PendingEntry({ note, hasKey, onUndo, onRetry }: Props) {
  const { who } = useCurrentAccount();
  // The undo key undoes the note before any earlier change, because it is later and not sent yet.
  useActions([{ id: "undo", name: t("toast.undo"), group: "general", keys: "z", when: hasKey, run: onUndo }]);
  const [secondsLeft, setSecondsLeft] = useState(Math.ceil(sendDelay / 1000));
  useEffect(() => {
    const tick = () => setSecondsLeft(Math.max(0, Math.ceil((note.at + sendDelay - Date.now()) / 1000)));
    tick();
    const timer = setInterval(tick, 500);
    return () => clearInterval(timer);
  }, [note.at]);
  return (
    <article className="entry entry-note" data-internal={note.internal || undefined} data-pending>
      <Avatar person={who.person} size={28} silent />
      <div className="note-card">
        <header className="note-head">
          <b>{who.person.name}</b>
          <span className="note-pending" role="status">
            {note.state === "failed"
              ? t("request.send.failed", { reason: note.error === undefined ? "" : errorText(note.error) })
              : t("request.send.sending")}
            {note.state === "waiting" && (
              <button type="button" className="text-button" onClick={onUndo}>
                {t("toast.undo")} <span aria-hidden="true">{t("time.seconds", { seconds: secondsLeft })}</span>
              </button>
            )}
            {note.state === "failed" && (
              <>
                <button type="button" className="text-button" onClick={onRetry}>
                  {t("error.retry")}
                </button>
                <button type="button" className="text-button" onClick={onUndo}>
                  {t("request.send.edit")}
                </button>
              </>
            )}
          </span>
        </header>
        <Markup text={note.text} />
      </div>
    </article>
  );
}
