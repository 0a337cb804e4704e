import IconCircleCheck from "@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs";
import IconEye from "@tabler/icons-react/dist/esm/icons/IconEye.mjs";
import IconHelpCircle from "@tabler/icons-react/dist/esm/icons/IconHelpCircle.mjs";
import IconLayoutSidebarRight from "@tabler/icons-react/dist/esm/icons/IconLayoutSidebarRight.mjs";
import IconLink from "@tabler/icons-react/dist/esm/icons/IconLink.mjs";
import IconLock from "@tabler/icons-react/dist/esm/icons/IconLock.mjs";
import IconMessageReply from "@tabler/icons-react/dist/esm/icons/IconMessageReply.mjs";
import IconRobot from "@tabler/icons-react/dist/esm/icons/IconRobot.mjs";
import IconSpeakerphone from "@tabler/icons-react/dist/esm/icons/IconSpeakerphone.mjs";
import IconUserCheck from "@tabler/icons-react/dist/esm/icons/IconUserCheck.mjs";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import type { Action } from "../../actions/action.ts";
import { useActionContext } from "../../actions/context.ts";
import { useActions } from "../../actions/registry.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { type Row, recordsApi } from "../../api/index.ts";
import { navigateTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { may } from "../../base/permissions.ts";
import { getSourceList, type SourceList, useMarkVisited } from "../../base/source-list.ts";
import { findEntry } from "../../base/type-index.ts";
import { showError, showMessage, showUndo } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { useSave } from "../../parts/save/use-save.ts";
import { formatWorkId } from "../../parts/work/work-id.ts";
import { pagePath, useRefreshRecord, useSettled, useSubList } from "../../queries/record-page.ts";
import { useRestore } from "./frame/use-restore.ts";
import { getReference, isClosed, type PageParts, readText } from "./page-parts.ts";

// The actions of the page: one list for its buttons, the palette, the keys and the shortcut sheet.

export type PageCommands = {
  edit(field: string): void;
  write(tab: "reply" | "internal"): void;
  complete(): void;
  wait(): void;
  link(): void;
  toggleWhy(): void;
  toggleSide(): void;
  tellAll(): void;
};

type Context = {
  type: RecordType;
  row: Row;
  parts: PageParts;
  locked: string | null;
  commands: PageCommands;
  /** the details are in a drawer */
  hasDrawer: boolean;
};

/** The list from which the record was opened, with its position in it. */
export const useSourceList = (type: RecordType, id: string | number): (SourceList & { at: number }) | null => {
  const { account } = useCurrentAccount();
  return getSourceList(paths.record(account.id, type, id));
};

/** Whether the reader watches the record, and functions to change that. */
export function useWatch(type: RecordType, row: Row, enabled: boolean) {
  const { account, who } = useCurrentAccount();
  const refresh = useRefreshRecord(type, String(row.id));
  const watches = useSubList(type, String(row.id), "watches", { per_page: "5", fields: "person" }, enabled);
  const own = watches.data?.rows.find((watch) => getReference(watch, "person")?.id === who.person.id);
  const toggle = async () => {
    const api = recordsApi(account.id);
    const path = `${pagePath(type, row.id)}/watches`;
    try {
      if (own === undefined) await api.create(path, { person_id: who.person.id });
      else await api.remove(`${path}/${own.id}`);
      await refresh();
      showMessage(t(own === undefined ? "request.watching" : "request.notWatching"));
    } catch (error) {
      showError(error);
    }
  };
  return { isWatching: own !== undefined, toggle, isKnown: watches.data !== undefined };
}

/** A note to a problem doesn't reach the requesters; one to a group reaches those of its members. */
const mayTellAll = (type: RecordType, row: Row): boolean => type.name === "problem" || row.grouping === "group";

/** Types with automation rules. */
const ruled = ["request", "problem", "task", "risk"];

export function usePageActions({
  type,
  row,
  parts,
  locked,
  commands,
  hasDrawer,
}: Context): ReadonlyMap<string, Action> {
  const { account, who } = useCurrentAccount();
  const rules = findEntry("automation_rule");
  const mayMakeRule = ruled.includes(type.name) && rules !== undefined && may(account.roles, "create", rules);
  const save = useSave(type, String(row.id));
  const sourceList = useSourceList(type, row.id);
  useMarkVisited(sourceList);
  const restore = useRestore(type, row);
  const watch = useWatch(type, row, useSettled() && "watches" in type.children);
  const status = readText(row, "status");
  const open = !isClosed(status);
  const has = (field: string) => type.fields[field] !== undefined;
  const free = locked === null;
  const mayAccept =
    free && open && has("member") && parts.isAccepted !== false && status !== "in_progress" && status !== "accepted";
  const accept = async () => {
    const before = { status: row.status, member: row.member };
    try {
      const isSaved = await save({ status: "accepted", member: { id: who.person.id, name: who.person.name } });
      if (isSaved) showUndo(t("request.accepted"), () => save(before));
    } catch (error) {
      showError(error);
    }
  };
  const copyLink = async () => {
    await navigator.clipboard.writeText(new URL(paths.record(account.id, type, row.id), location.href).href);
    showMessage(t("request.copied"));
  };
  const walk = (step: number) => {
    const next = sourceList?.records[sourceList.at + step];
    if (next !== undefined) navigateTo(next.path);
  };
  const record = "record" as const;
  // biome-ignore format: a table keeps its columns
  const actions: readonly Action[] = [
    { id: "request.reply",    group: "write", keys: "r",       icon: IconMessageReply, name: t("request.action.reply"),    when: free,                                run: () => commands.write("reply") },
    { id: "request.internal", group: "write", keys: "i",       icon: IconLock,         name: t("request.note.internal"),   when: free && parts.hasInternalNotes,      run: () => commands.write("internal") },
    { id: "request.accept",   group: record,  keys: "a",       icon: IconUserCheck,    name: t("request.action.accept"),   when: mayAccept, words: "assign take", run: accept },
    { id: "request.toMe",     group: record,  icon: IconUserCheck,     name: t("newRequest.toMe"),         when: mayAccept, words: "take", run: accept },
    { id: "request.member",   group: record,  keys: "m",       name: t("request.action.member"),   when: free && has("member"), words: "assign",  run: () => commands.edit("member") },
    { id: "request.team",     group: record,  keys: "shift+t", name: t("request.action.team"),     when: free && has("team"),   words: "assign",  run: () => commands.edit("team") },
    { id: "request.status",   group: record,  keys: "s",       name: t("request.action.status"),   when: free && has("status"),                   run: () => commands.edit("status") },
    { id: "request.impact",   group: record,  keys: "p",       name: t("request.action.impact"),   when: free && has("impact"), words: "priority", run: () => commands.edit("impact") },
    { id: "request.wait",     group: record,  keys: "w",       name: t("request.status.wait"),     when: free && open && (type.states?.states ?? []).includes("waiting_for"), run: commands.wait },
    { id: "request.complete", group: record,  keys: "e",       icon: IconCircleCheck,  name: t("request.complete"),        when: free && open && parts.completed !== null, words: "close solve done", run: commands.complete },
    { id: "request.linkCi",   group: record,  keys: "l",       name: t("request.linkCi"),          when: free && type.links.cis !== undefined,    run: commands.link },
    { id: "request.tellAll",  group: "write", icon: IconSpeakerphone, name: t("request.tellAll"),  when: free && mayTellAll(type, row), words: "note requesters inform", run: commands.tellAll },
    { id: "request.watch",    group: record,  keys: "v",       icon: IconEye,          name: t(watch.isWatching ? "request.action.unwatch" : "request.action.watch"), when: "watches" in type.children && watch.isKnown, run: watch.toggle },
    { id: "request.copy",     group: record,  keys: "y",       icon: IconLink,         name: t("request.action.copy"),     run: copyLink },
    { id: "request.rule",     group: record,  icon: IconRobot, name: t("request.makeRule"), when: mayMakeRule, words: "automation", run: () => navigateTo(paths.newRule(account.id, type.name, row.id)) },
    { id: "request.why",      group: record,  icon: IconHelpCircle, name: t("request.why"), when: parts.hasClocks, run: commands.toggleWhy },
    { id: "request.details",  group: record,  keys: ".",       icon: IconLayoutSidebarRight, name: t("request.details"), when: hasDrawer, run: commands.toggleSide },
    restore,
    { id: "request.back",     group: "list",  keys: "escape",  name: t("request.back"),            keysOnly: true, run: () => navigateTo(sourceList?.path ?? paths.list(account.id, type)) },
    { id: "request.next",     group: "list",  keys: "j",       name: t("request.action.next"),     when: sourceList !== null, keysOnly: true, run: () => walk(1) },
    { id: "request.previous", group: "list",  keys: "k",       name: t("request.action.previous"), when: sourceList !== null, keysOnly: true, run: () => walk(-1) },
  ];
  useActions(actions);
  useActionContext(formatWorkId(type.name, row.id), type.name, typeof row.status === "string" ? row.status : "");
  return new Map(actions.map((action) => [action.id, action]));
}
