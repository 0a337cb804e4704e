import { Drawer } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { ApiError, type Row } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import type { Draft } from "../../drafts/draft.ts";
import { t } from "../../languages/index.ts";
import { collectionLabel } from "../../languages/labels.ts";
import { useLiveState } from "../../live/live-state.ts";
import { usePresence } from "../../live/presence.ts";
import { lazyDialog } from "../../parts/dialogs/lazy-dialog.tsx";
import { useDocumentTitle } from "../../parts/document-title.ts";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { Forbidden } from "../../parts/states/forbidden.tsx";
import { NotFound } from "../../parts/states/not-found.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { showError, showMessage } from "../../parts/toast.tsx";
import { TextBlock } from "./blocks/text-block.tsx";
import { CompleteDialog } from "./complete-dialog.tsx";
import { Composer } from "./composer/composer.tsx";
import { listPendingEntries } from "./composer/pending-entry.tsx";
import type { ComposerTab } from "./composer/use-composer-draft.ts";
import { usePendingNotes } from "./composer/use-pending-notes.ts";
import { getPageParts, textOf } from "./page-parts.ts";
import { Panels } from "./panels/panels.tsx";
import { PhonePage } from "./phone-page.tsx";
import { useNotes, usePageRecord, useRefreshRecord } from "./queries.ts";
import { RequestBar, RequestTitle } from "./request-bar.tsx";
import { CollisionGuard } from "./save/collision-dialog.tsx";
import { useSave } from "./save/use-save.ts";
import { SideContent } from "./side/side-content.tsx";
import { StateBars } from "./state-bars.tsx";
import { Timeline } from "./timeline/timeline.tsx";
import { usePutBack } from "./timeline/use-put-back.ts";
import { useLock } from "./use-lock.ts";
import { usePageActions } from "./use-page-actions.ts";
import { useWanted } from "./use-wanted.ts";
import { WaitDialog } from "./wait-dialog.tsx";
import "../../styles/request.css";
import "../../styles/request-tools.css";
import "../../styles/phone-composer.css";

const TellAllDialog = lazyDialog(async () => (await import("./tell-all-dialog.tsx")).default);

// The page of a request, and of problems, releases and risks, which have other parts: what is going on, and what do I say?

export function RequestScreen({ type, id }: { type: RecordType; id: string }) {
  const { data, error, refetch } = usePageRecord(type, id);
  if (data !== undefined)
    return (
      <CollisionGuard type={type}>
        <RecordPage type={type} row={data.row} />
      </CollisionGuard>
    );
  if (error instanceof ApiError && error.status === 403) return <Forbidden type={type} />;
  if (error instanceof ApiError && error.status === 404) return <NotFound type={type} id={id} />;
  if (error !== null) return <ErrorPanel error={error} retry={() => void refetch()} level={1} />;
  return <SkeletonRows rows={10} />;
}

type OpenDialog = { is: "complete" } | { is: "wait"; choose(until: string): void } | { is: "tell all" } | null;

function RecordPage({ type, row }: { type: RecordType; row: Row }) {
  const { account, api, who, isAdministrator } = useCurrentAccount();
  const id = String(row.id);
  const parts = getPageParts(type.name, row);
  const locked = useLock(type, row);
  const phone = useMediaQuery("(max-width: 47.99em)", false, { getInitialValueInEffect: false });
  const wide = useMediaQuery("(min-width: 75em)", true, { getInitialValueInEffect: false });
  const [editing, setEditing] = useState<string | null>(null);
  const [linking, setLinking] = useState(false);
  const [drawer, setDrawer] = useState(false);
  const [why, setWhy] = useState(true);
  const [tab, setTab] = useState<ComposerTab>("reply");
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const [writingSince, setWritingSince] = useState<number | null>(null);
  const [returned, setReturned] = useState<Draft | null>(null);
  const [readUntil, setReadUntil] = useState(0);
  const input = useRef<HTMLTextAreaElement>(null);
  const reading = useRef<HTMLDivElement>(null);
  const startReading = () => reading.current?.focus({ preventScroll: true });
  // The keys that scroll belong to the conversation; on a fresh page the first Tab belongs to the link that skips the menu.
  useEffect(() => {
    if (document.activeElement === document.body && navigator.userActivation?.hasBeenActive)
      reading.current?.focus({ preventScroll: true });
  }, []);
  const save = useSave(type, id);
  const refresh = useRefreshRecord(type, id);
  const notes = useNotes(type, id);
  const sending = usePendingNotes(type, id);
  const people = usePresence(type.name, row.id, writingSince !== null).filter(
    ({ id: other }) => other !== who.person.id,
  );
  useDocumentTitle(`${id} ${textOf(row, "subject")}`, collectionLabel(type), account.name);

  const openSide = (act: () => void) => {
    if (!wide && !phone) setDrawer(true);
    act();
  };
  const commands = {
    edit: (field: string) => openSide(() => setEditing(field)),
    write: (wanted: ComposerTab) => {
      setTab(wanted);
      input.current?.focus();
    },
    complete: () => setDialog({ is: "complete" }),
    wait: () =>
      setDialog({
        is: "wait",
        choose: (until) =>
          void save({ status: "waiting_for", waiting_until: until }, { message: t("request.waiting") }).catch(
            showError,
          ),
      }),
    link: () => openSide(() => setLinking(true)),
    toggleWhy: () => openSide(() => setWhy((was) => !was)),
    toggleSide: () => setDrawer((was) => !was),
    tellAll: () => setDialog({ is: "tell all" }),
  };
  const actions = usePageActions({ type, row, parts, locked, commands, hasDrawer: !wide && !phone });
  const live = useLiveState();
  const putBack = usePutBack(type, row, locked);
  useWanted(actions);

  // A moment of a note has no fraction: one of the same second counts as later.
  const began = writingSince === null ? null : Math.max(writingSince - 1000, readUntil);
  const later =
    began === null
      ? undefined
      : notes.data?.notes.findLast(
          (note) =>
            Date.parse(note.created_at) >= began && note.person?.id !== who.person.id && note.medium !== "system",
        );
  const news = later === undefined ? null : { name: later.person?.name ?? "", at: later.created_at, id: later.id };
  const read = () => {
    if (later === undefined) return;
    setReadUntil(Date.parse(later.created_at) + 1000);
    document.getElementById(`note-${later.id}`)?.scrollIntoView({ block: "center", behavior: "smooth" });
  };
  const takeBack = (key: string) => {
    const note = sending.undo(key);
    if (note === null) return;
    setTab(note.internal ? "internal" : "reply");
    setReturned(note.written);
    input.current?.focus();
  };
  const restore = async () => {
    try {
      await api.act(`/${type.collection}/${id}/restore`);
      await refresh();
      showMessage(t("record.done"));
    } catch (error) {
      showError(error);
    }
  };
  const pending = listPendingEntries(sending, takeBack);
  const side = (
    <SideContent
      type={type}
      row={row}
      parts={parts}
      locked={locked}
      editing={editing}
      onEditing={setEditing}
      linking={linking}
      onLinking={setLinking}
      onTellAll={actions.get("request.tellAll")?.when === true ? commands.tellAll : null}
      why={why}
      onWhy={() => setWhy(!why)}
    />
  );
  const composer = locked === null && (
    <Composer
      type={type}
      row={row}
      parts={parts}
      tab={tab}
      onTab={commands.write}
      onRestoredTab={setTab}
      inputRef={input}
      news={news}
      onRead={read}
      onWriting={(since) => setWritingSince((was) => (since === null ? null : (was ?? since)))}
      onSend={sending.send}
      onComplete={commands.complete}
      onWait={(choose) => setDialog({ is: "wait", choose })}
      onLeave={startReading}
      returned={returned}
      onReturned={() => setReturned(null)}
      brief={phone === true}
    />
  );
  return (
    <div className="page request-page" data-phone={phone || undefined} data-live={live}>
      {phone ? (
        <PhonePage
          type={type}
          row={row}
          parts={parts}
          locked={locked}
          side={side}
          pending={pending}
          composer={composer}
          actions={[...actions.values()]}
          onEdit={setEditing}
          editing={editing}
          onTellAll={actions.get("request.tellAll")?.when === true ? commands.tellAll : null}
        />
      ) : (
        <>
          <RequestBar
            type={type}
            row={row}
            people={people}
            actions={actions}
            onSide={wide ? null : () => setDrawer(true)}
          />
          <StateBars type={type} row={row} onRestore={isAdministrator ? () => void restore() : undefined} />
          <div className="request-columns">
            <div className="request-main">
              {parts.head !== undefined && <Panels type={type} row={row} names={[parts.head]} isQuiet />}
              <RequestTitle row={row} />
              <div ref={reading} className="request-scroll" tabIndex={-1}>
                {parts.blocks.map((name) => (
                  <TextBlock key={name} type={type} row={row} name={name} locked={locked !== null} />
                ))}
                <Panels type={type} row={row} names={parts.panels} />
                <Timeline type={type} row={row} parts={parts} pending={pending} putBack={putBack} />
              </div>
              {composer}
            </div>
            {wide && (
              <aside className="request-side" aria-label={t("request.details")}>
                {side}
              </aside>
            )}
          </div>
          {!wide && (
            <Drawer.Root opened={drawer} onClose={() => setDrawer(false)} position="right" size={372}>
              <Drawer.Overlay />
              <Drawer.Content aria-label={t("request.details")}>
                <Drawer.Header role="presentation">
                  <Drawer.Title fw={650}>{t("request.details")}</Drawer.Title>
                  <Drawer.CloseButton aria-label={t("app.close")} />
                </Drawer.Header>
                <Drawer.Body>{side}</Drawer.Body>
              </Drawer.Content>
            </Drawer.Root>
          )}
        </>
      )}
      {dialog?.is === "complete" && (
        <CompleteDialog
          type={type}
          row={row}
          parts={parts}
          onComplete={(changes) => save(changes, { message: t("request.completed") })}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog?.is === "tell all" && <TellAllDialog type={type} row={row} onClose={() => setDialog(null)} />}
      {dialog?.is === "wait" && (
        <WaitDialog
          record={`${type.name}/${row.id}`}
          onChoose={(until) => {
            setDialog(null);
            dialog.choose(until);
          }}
          onClose={() => setDialog(null)}
        />
      )}
    </div>
  );
}
