import { useMediaQuery } from "@mantine/hooks";
import { useState } from "react";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import type { Action } from "../../../actions/action.ts";
import { useCurrentAccount } from "../../../api/current-account.ts";
import type { Row } from "../../../api/index.ts";
import { useDocumentTitle } from "../../../base/document-title.ts";
import { showError } from "../../../elements/toast.tsx";
import { t } from "../../../languages/index.ts";
import { collectionLabel } from "../../../languages/labels.ts";
import { usePresence } from "../../../live/presence.ts";
import { useSave } from "../../../parts/save/use-save.ts";
import { getPageParts, type PageParts, readText, type TabName } from "../page-parts.ts";
import { type RevertChange, useRevertChange } from "../timeline/use-revert-change.ts";
import { useLock } from "../use-lock.ts";
import { usePageActions } from "../use-page-actions.ts";
import { useRequestedAction } from "../use-requested-action.ts";
import { usePageTab } from "./use-page-tab.ts";
import { type SideState, useSide } from "./use-side.ts";

// The shared state and commands of all work item pages; the table of page parts has the differences between their
// types.

export type OpenDialog = { is: "complete" } | { is: "wait"; choose(until: string): void } | { is: "tell all" };

export type WorkItem = {
  type: RecordType;
  row: Row;
  parts: PageParts;
  /** the reason why the reader can't change the record; null: they can */
  locked: string | null;
  isPhone: boolean;
  /** the details are beside the page; otherwise they are in a drawer, or in tabs on a phone */
  hasSideColumn: boolean;
  hasDrawer: boolean;
  /** null: the page has no tabs */
  tab: TabName | null;
  setTab(tab: TabName): void;
  side: SideState;
  dialog: OpenDialog | null;
  setDialog(dialog: OpenDialog | null): void;
  /** the others on the page */
  people: ReturnType<typeof usePresence>;
  actions: ReadonlyMap<string, Action>;
  revertChange: RevertChange | null;
  save: ReturnType<typeof useSave>;
};

type Options = {
  type: RecordType;
  row: Row;
  /** opens the input for a note; absent: it is in the notes tab */
  write?: (tab: "reply" | "internal") => void;
  isWriting?: boolean;
};

export function useWorkItem({ type, row, write, isWriting = false }: Options): WorkItem {
  const { account, who } = useCurrentAccount();
  const id = String(row.id);
  const parts = getPageParts(type.name, row);
  const locked = useLock(type, row);
  const isPhone = useMediaQuery("(max-width: 47.99em)", false, { getInitialValueInEffect: false }) === true;
  const isWide = useMediaQuery("(min-width: 75em)", true, { getInitialValueInEffect: false }) === true;
  const hasSideColumn = isWide && parts.tabs === undefined;
  // Phones show the details of the timeline in separate tabs.
  const hasDrawer = !hasSideColumn && (parts.tabs !== undefined || !isPhone);
  const side = useSide(hasDrawer);
  const [tab, setTab] = usePageTab(parts, isPhone);
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const save = useSave(type, id);
  const people = usePresence(type.name, row.id, isWriting).filter(({ id: other }) => other !== who.person.id);
  useDocumentTitle(`${id} ${readText(row, "subject")}`, collectionLabel(type), account.name);
  const wait = (until: string) =>
    void save({ status: "waiting_for", waiting_until: until }, { message: t("request.waiting") }).catch(showError);
  const actions = usePageActions({
    ...{ type, row, parts, locked, hasDrawer },
    commands: {
      edit: side.edit,
      write: write ?? (() => setTab("notes")),
      complete: () => setDialog({ is: "complete" }),
      wait: () => setDialog({ is: "wait", choose: wait }),
      link: side.link,
      toggleWhy: side.toggleWhy,
      toggleSide: side.toggle,
      tellAll: () => setDialog({ is: "tell all" }),
    },
  });
  const revertChange = useRevertChange(type, row, locked);
  useRequestedAction(actions);
  return {
    ...{ type, row, parts, locked, isPhone, hasSideColumn, hasDrawer, tab, setTab },
    ...{ side, dialog, setDialog, people, actions, revertChange, save },
  };
}
