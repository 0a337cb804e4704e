import { ActionIcon, Drawer, Menu } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import IconArrowLeft from "@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs";
import IconChevronDown from "@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs";
import IconChevronUp from "@tabler/icons-react/dist/esm/icons/IconChevronUp.mjs";
import IconDots from "@tabler/icons-react/dist/esm/icons/IconDots.mjs";
import IconLayoutSidebarRight from "@tabler/icons-react/dist/esm/icons/IconLayoutSidebarRight.mjs";
import IconStack2 from "@tabler/icons-react/dist/esm/icons/IconStack2.mjs";
import IconUrgent from "@tabler/icons-react/dist/esm/icons/IconUrgent.mjs";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { ActionButton } from "../../actions/action-button.tsx";
import { ApiError, type Row } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { linkTo, navigateTo } from "../../history.ts";
import { t } from "../../languages/index.ts";
import { collectionLabel } from "../../languages/labels.ts";
import { usePresence } from "../../live/presence.ts";
import { Chip } from "../../parts/chip.tsx";
import { useDocumentTitle } from "../../parts/document-title.ts";
import { Icon } from "../../parts/icon.tsx";
import { Kbd } from "../../parts/kbd.tsx";
import { Link } from "../../parts/link.tsx";
import { Avatar } from "../../parts/people/avatar.tsx";
import { ArchivedBar, Bar } from "../../parts/states/bars.tsx";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { Forbidden } from "../../parts/states/forbidden.tsx";
import { NotFound } from "../../parts/states/not-found.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { showError, showMessage } from "../../parts/toast.tsx";
import { paths } from "../../paths.ts";
import { getReferenceName } from "../../queries/reference.ts";
import { TextBlock } from "./blocks/text-block.tsx";
import { CompleteDialog } from "./complete-dialog.tsx";
import { Composer, type ComposerTab } from "./composer/composer.tsx";
import { PendingEntry } from "./composer/pending-note.tsx";
import { type PendingNote, usePendingNote } from "./composer/use-pending-note.ts";
import { getPageParts, referenceOf, textOf } from "./page-parts.ts";
import { PhonePage } from "./phone-page.tsx";
import { useNotes, usePageRecord, useRefreshRecord } from "./queries.ts";
import { CollisionGuard } from "./save/collision-dialog.tsx";
import { useSave } from "./save/use-save.ts";
import { SideContent } from "./side/side-content.tsx";
import { Timeline } from "./timeline/timeline.tsx";
import { useCameFrom, usePageActions } from "./use-page-actions.ts";
import { WaitDialog } from "./wait-dialog.tsx";
import "../../styles/request.css";

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

type OpenDialog = { is: "complete"; text: string } | { is: "wait"; choose(until: string): void } | null;

/** Why the reader cannot change it; null: they can. */
function useLock(type: RecordType, row: Row): string | null {
  const { may } = useCurrentAccount();
  const foreign = row.account as { name: string } | undefined;
  if (row.archived === true || row.trashed === true) return t("request.locked.archived");
  if (foreign !== undefined && type.sharing.perAccount.length === 0)
    return t("record.foreign", { account: foreign.name });
  return may("update", type) ? null : t("request.locked.role");
}

function RecordPage({ type, row }: { type: RecordType; row: Row }) {
  const { account, api, who, isAdministrator } = useCurrentAccount();
  const id = String(row.id);
  const parts = getPageParts(type.name);
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
  const [returned, setReturned] = useState<PendingNote | null>(null);
  const [readUntil, setReadUntil] = useState(0);
  const input = useRef<HTMLTextAreaElement>(null);
  const save = useSave(type, id);
  const refresh = useRefreshRecord(type, id);
  const notes = useNotes(type, id);
  const sending = usePendingNote(type, id);
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
      requestAnimationFrame(() => input.current?.focus());
    },
    complete: () => setDialog({ is: "complete", text: "" }),
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
  };
  const actions = usePageActions({ type, row, parts, locked, commands });
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
  const takeBack = () => {
    const note = sending.undo();
    if (note === null) return;
    setTab(note.internal ? "internal" : "reply");
    // The draft of that tab is loaded first; then the text comes back into it.
    requestAnimationFrame(() => setReturned(note));
    requestAnimationFrame(() => input.current?.focus());
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
  const pending =
    sending.pending === null ? undefined : (
      <PendingEntry note={sending.pending} onUndo={takeBack} onRetry={() => void sending.sendNow()} />
    );
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
      inputRef={input}
      news={news}
      onRead={read}
      onWriting={(since) => setWritingSince((was) => (since === null ? null : (was ?? since)))}
      onSend={sending.send}
      onComplete={(text) => setDialog({ is: "complete", text })}
      onWait={(choose) => setDialog({ is: "wait", choose })}
      returned={returned}
    />
  );
  return (
    <div className="page request-page" data-phone={phone || undefined}>
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
              <RequestTitle row={row} />
              <div className="request-scroll">
                {parts.blocks.map((name) => (
                  <TextBlock key={name} type={type} row={row} name={name} locked={locked !== null} />
                ))}
                <Timeline type={type} row={row} parts={parts} pending={pending} />
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
          text={dialog.text}
          onComplete={(changes) => save(changes, { message: t("request.completed") })}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog?.is === "wait" && (
        <WaitDialog
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

/** `?do=reply` in the address: another page asked for it. */
function useWanted(actions: ReturnType<typeof usePageActions>): void {
  const { do: wanted } = useSearch({ strict: false }) as { do?: string };
  const navigate = useNavigate();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for what the address asks
  useEffect(() => {
    if (wanted === undefined) return;
    const action = actions.get(`request.${wanted}`);
    if (action?.when !== false) void action?.run();
    void navigate({ to: ".", search: ((was: object) => ({ ...was, do: undefined })) as never, replace: true });
  }, [wanted]);
}

function RequestTitle({ row }: { row: Row }) {
  const major = row.major_incident_status;
  return (
    <div className="request-title">
      <h1>{textOf(row, "subject")}</h1>
      {typeof major === "string" && (
        <Chip tone="red" icon={IconUrgent}>
          {t("request.major")}
        </Chip>
      )}
    </div>
  );
}

type BarProps = {
  type: RecordType;
  row: Row;
  people: readonly { id: number; name: string; doing: string }[];
  actions: ReturnType<typeof usePageActions>;
  onSide: (() => void) | null;
};

function RequestBar({ type, row, people, actions, onSide }: BarProps) {
  const { account } = useCurrentAccount();
  const came = useCameFrom(type, row.id);
  const back = came ?? { label: collectionLabel(type), path: paths.list(account.id, type) };
  const step = (name: "request.next" | "request.previous") => actions.get(name)?.run;
  const get = (name: string) => actions.get(name);
  const [complete, watch, copy] = [get("request.complete"), get("request.watch"), get("request.copy")];
  const menu = [...actions.values()].filter(
    ({ id, when, keysOnly }) =>
      when !== false && keysOnly !== true && id !== "request.complete" && id !== "request.watch",
  );
  const [first] = people;
  return (
    <div className="page-bar request-bar">
      <ActionIcon variant="subtle" size={30} aria-label={t("request.back")} color="gray" {...linkTo(back.path)}>
        <Icon of={IconArrowLeft} />
      </ActionIcon>
      <nav aria-label={t("record.breadcrumb")} className="trail">
        <Link to={back.path}>{back.label}</Link>
        <span aria-hidden="true" className="trail-mark">
          ›
        </span>
        <span aria-current="page" className="trail-here numbers">
          {row.id}
        </span>
      </nav>
      {copy !== undefined && <ActionButton action={copy} compact size="xs" />}
      <div className="page-actions">
        {first !== undefined && (
          <span className="presence-line" role="status">
            <Avatar person={first} size={20} silent />
            <span className="truncate">
              {t(first.doing === "writing" ? "request.presence.writing" : "request.presence.viewing", {
                name: first.name.split(" ")[0] ?? first.name,
              })}
              {people.length > 1 && ` +${people.length - 1}`}
            </span>
          </span>
        )}
        {came !== null && (
          <>
            <span className="quiet numbers">
              {t("request.place", { place: came.at + 1, total: came.records.length })}
            </span>
            <ActionIcon
              variant="default"
              size={30}
              aria-label={t("request.action.previous")}
              disabled={came.at === 0}
              onClick={() => void step("request.previous")?.()}
            >
              <Icon of={IconChevronUp} />
            </ActionIcon>
            <ActionIcon
              variant="default"
              size={30}
              aria-label={t("request.action.next")}
              disabled={came.at === came.records.length - 1}
              onClick={() => void step("request.next")?.()}
            >
              <Icon of={IconChevronDown} />
            </ActionIcon>
          </>
        )}
        {watch !== undefined && <ActionButton action={watch} compact />}
        {complete !== undefined && <ActionButton action={complete} />}
        {onSide !== null && (
          <ActionIcon variant="default" size={30} aria-label={t("request.details")} onClick={onSide}>
            <Icon of={IconLayoutSidebarRight} />
          </ActionIcon>
        )}
        <Menu position="bottom-end" width={240}>
          <Menu.Target>
            <ActionIcon variant="default" size={30} aria-label={t("record.more")}>
              <Icon of={IconDots} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {menu.map((action) => (
              <Menu.Item
                key={action.id}
                onClick={() => void action.run()}
                rightSection={action.keys === undefined ? undefined : <Kbd keys={action.keys} />}
              >
                {action.name}
              </Menu.Item>
            ))}
            <Menu.Item onClick={() => navigateTo(paths.edit(account.id, type, row.id))}>
              {t("request.allFields")}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
    </div>
  );
}

/** Archived, part of a group, of another account. */
export function StateBars({
  type,
  row,
  onRestore,
}: {
  type: RecordType;
  row: Row;
  onRestore?: (() => void) | undefined;
}) {
  const { account } = useCurrentAccount();
  const group = referenceOf(row, "grouped_into");
  const foreign = row.account as { name: string } | undefined;
  return (
    <>
      {(row.archived === true || row.trashed === true) && (
        <ArchivedBar
          state={row.trashed === true ? "trashed" : "archived"}
          at={textOf(row, "updated_at")}
          {...(onRestore === undefined ? {} : { onRestore })}
        />
      )}
      {group !== null && (
        <Bar
          tone="blue"
          icon={IconStack2}
          action={
            <Link to={paths.record(account.id, type, group.id)} className="bar-action">
              {t("request.groupOpen")}
            </Link>
          }
        >
          {t("request.group", { group: `${group.id} ${getReferenceName(group)}` })}
        </Bar>
      )}
      {foreign !== undefined && (
        <Bar tone="grey" icon={IconStack2}>
          {t("record.foreign", { account: foreign.name })}
        </Bar>
      )}
    </>
  );
}
