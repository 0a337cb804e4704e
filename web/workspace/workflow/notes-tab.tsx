import { useRef, useState } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import type { Row } from "../../api.ts";
import type { Draft } from "../../drafts/draft.ts";
import { Composer } from "../request/composer/composer.tsx";
import { listPendingEntries } from "../request/composer/pending-entry.tsx";
import { usePendingNotes } from "../request/composer/use-pending-notes.ts";
import type { PageParts } from "../request/page-parts.ts";
import { Timeline } from "../request/timeline/timeline.tsx";

type Props = {
  type: RecordType;
  row: Row;
  parts: PageParts;
  locked: string | null;
  onComplete(): void;
};

/** The notes of a workflow, and a new one. */
export default function NotesTab({ type, row, parts, locked, onComplete }: Props) {
  const input = useRef<HTMLTextAreaElement>(null);
  const sending = usePendingNotes(type, String(row.id));
  const [returned, setReturned] = useState<Draft | null>(null);
  const takeBack = (key: string) => {
    const note = sending.undo(key);
    if (note !== null) setReturned(note.written);
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
          pending={listPendingEntries(sending, takeBack)}
        />
      </div>
      {locked === null && (
        <Composer
          type={type}
          row={row}
          parts={parts}
          tab="reply"
          onTab={() => input.current?.focus()}
          onRestoredTab={() => undefined}
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
          onReturned={() => setReturned(null)}
        />
      )}
    </div>
  );
}
