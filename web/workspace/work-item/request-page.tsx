import type { RecordType } from "../../../records/vocabulary/index.ts";
import type { Row } from "../../api/index.ts";
import { t } from "../../languages/index.ts";
import { TextBlock } from "./blocks/text-block.tsx";
import { Composer } from "./composer/composer.tsx";
import { listPendingEntries } from "./composer/pending-entry.tsx";
import { LoadedWorkItem } from "./frame/loaded-work-item.tsx";
import { useWorkItem, type WorkItem } from "./frame/use-work-item.ts";
import { Side, WorkItemFrame } from "./frame/work-item-frame.tsx";
import { Panels } from "./panels/panels.tsx";
import { PhoneHead, PhonePage } from "./phone-page.tsx";
import { RequestTitle } from "./request-bar.tsx";
import { Timeline } from "./timeline/timeline.tsx";
import { type Conversation, useConversation } from "./use-conversation.ts";
import "../../styles/phone-composer.css";

// The page of work items with a conversation: requests, problems, releases, risks and tasks.

export function RequestScreen({ type, id }: { type: RecordType; id: string }) {
  return (
    <LoadedWorkItem type={type} id={id}>
      {(row) => <RequestPage type={type} row={row} />}
    </LoadedWorkItem>
  );
}

function RequestPage({ type, row }: { type: RecordType; row: Row }) {
  const conversation = useConversation(type, row);
  const { write, isWriting } = conversation;
  const page = useWorkItem({ type, row, write, isWriting });
  if (!page.isPhone)
    return (
      <WorkItemFrame page={page} className="request-page">
        <Columns page={page} conversation={conversation} />
      </WorkItemFrame>
    );
  return (
    <WorkItemFrame page={page} className="request-page" head={<PhoneHead page={page} />}>
      <PhonePage
        page={page}
        pending={listPendingEntries(conversation.sending, conversation.undoNote)}
        composer={page.locked === null && <PageComposer page={page} conversation={conversation} />}
      />
    </WorkItemFrame>
  );
}

type PartProps = { page: WorkItem; conversation: Conversation };

/** The conversation, with the details beside it if there is room. */
function Columns({ page, conversation }: PartProps) {
  const { type, row, parts, locked, revertChange } = page;
  const pending = listPendingEntries(conversation.sending, conversation.undoNote);
  return (
    <div className="request-columns">
      <div className="request-main">
        {parts.head !== undefined && <Panels type={type} row={row} names={[parts.head]} isQuiet />}
        <RequestTitle row={row} />
        <div ref={conversation.readingRef} className="request-scroll" tabIndex={-1}>
          {parts.blocks.map((name) => (
            <TextBlock key={name} type={type} row={row} name={name} locked={locked !== null} />
          ))}
          <Panels type={type} row={row} names={parts.panels} />
          <Timeline type={type} row={row} parts={parts} pending={pending} revertChange={revertChange} />
        </div>
        {locked === null && <PageComposer page={page} conversation={conversation} />}
      </div>
      {page.hasSideColumn && (
        <aside className="request-side" aria-label={t("request.details")}>
          <Side page={page} />
        </aside>
      )}
    </div>
  );
}

function PageComposer({ page, conversation }: PartProps) {
  return (
    <Composer
      type={page.type}
      row={page.row}
      parts={page.parts}
      tab={conversation.tab}
      onTab={conversation.write}
      onRestoredTab={conversation.setTab}
      inputRef={conversation.inputRef}
      news={conversation.news}
      onRead={conversation.read}
      onWriting={conversation.onWriting}
      onSend={conversation.sending.send}
      onComplete={() => page.setDialog({ is: "complete" })}
      onWait={(choose) => page.setDialog({ is: "wait", choose })}
      onLeave={conversation.startReading}
      brief={page.isPhone}
    />
  );
}
