import { useRef } from "react";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import type { Row } from "../../../api/index.ts";
import { Composer } from "../composer/composer.tsx";
import { listPendingEntries } from "../composer/pending-entry.tsx";
import { usePendingNotes } from "../composer/use-pending-notes.ts";
import { useUndoNote } from "../composer/use-undo-note.ts";
import type { PageParts } from "../page-parts.ts";
import { Timeline } from "../timeline/timeline.tsx";

type Props = {
  type: RecordType;
  row: Row;
  parts: PageParts;
  locked: string | null;
  onComplete(): void;
};

/** The notes of a workflow or a project, and the input for a new one. */
export default function NotesTab({ type, row, parts, locked, onComplete }: Props) {
  const input = useRef<HTMLTextAreaElement>(null);
  const sending = usePendingNotes(type, String(row.id));
  const undoNote = useUndoNote(type, String(row.id), sending, input);
  return (
    <div className="workflow-notes">
      <div className="request-scroll">
        <Timeline
          type={type}
          row={row}
          parts={parts}
          only="conversation"
          pending={listPendingEntries(sending, undoNote)}
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
        />
      )}
    </div>
  );
}
