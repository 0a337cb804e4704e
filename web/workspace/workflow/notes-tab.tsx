import { useRef, useState } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import type { Row } from "../../api.ts";
import { Composer } from "../request/composer/composer.tsx";
import { PendingEntry } from "../request/composer/pending-note.tsx";
import { type PendingNote, usePendingNote } from "../request/composer/use-pending-note.ts";
import type { PageParts } from "../request/page-parts.ts";
import { Timeline } from "../request/timeline/timeline.tsx";

type Props = {
  type: RecordType;
  row: Row;
  parts: PageParts;
  locked: string | null;
  onComplete(text: string): void;
};

/** The notes of a workflow, and a new one. */
export default function NotesTab({ type, row, parts, locked, onComplete }: Props) {
  const input = useRef<HTMLTextAreaElement>(null);
  const sending = usePendingNote(type, String(row.id));
  const [returned, setReturned] = useState<PendingNote | null>(null);
  const takeBack = () => {
    const note = sending.undo();
    if (note !== null) setReturned(note);
    input.current?.focus();
  };
  return (
    <div className="workflow-notes">
      <div className="request-scroll">
        <Timeline
          type={type}
          row={row}
          parts={parts}
          only="conversation"
          pending={
            sending.pending === null ? undefined : (
              <PendingEntry note={sending.pending} onUndo={takeBack} onRetry={() => void sending.sendNow()} />
            )
          }
        />
      </div>
      {locked === null && (
        <Composer
          type={type}
          row={row}
          parts={parts}
          tab="reply"
          onTab={() => input.current?.focus()}
          inputRef={input}
          news={null}
          onRead={() => undefined}
          onWriting={() => undefined}
          onLeave={() => input.current?.blur()}
          onSend={sending.send}
          onComplete={onComplete}
          onWait={() => undefined}
          brief={false}
          returned={returned}
        />
      )}
    </div>
  );
}
