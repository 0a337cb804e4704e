import IconAntennaBars3 from "@tabler/icons-react/dist/esm/icons/IconAntennaBars3.mjs";
import IconDevicesPlus from "@tabler/icons-react/dist/esm/icons/IconDevicesPlus.mjs";
import IconHourglassLow from "@tabler/icons-react/dist/esm/icons/IconHourglassLow.mjs";
import IconProgress from "@tabler/icons-react/dist/esm/icons/IconProgress.mjs";
import IconSearch from "@tabler/icons-react/dist/esm/icons/IconSearch.mjs";
import IconUsersPlus from "@tabler/icons-react/dist/esm/icons/IconUsersPlus.mjs";
import IconUserUp from "@tabler/icons-react/dist/esm/icons/IconUserUp.mjs";
import { parseWorkId } from "../../../records/work/work-ids.ts";
import type { Action, ActionGroup } from "../../actions/action.ts";
import type { SearchResult } from "../../api/search.ts";
import { navigateTo } from "../../base/history.ts";
import { rankMatch } from "../../base/match-text.ts";
import { paths } from "../../base/paths.ts";
import { findType } from "../../base/record-types.ts";
import type { IconComponent } from "../../elements/icon.tsx";
import { t } from "../../languages/index.ts";
import { typeLabel } from "../../languages/labels.ts";
import { typeIcon } from "../../parts/work/type-icon.tsx";
import type { Recent } from "../../queries/kept/recents.ts";
import { countAction, loadUsedActions } from "./used-actions.ts";

// The palette's entries for a text, in groups.

export type PaletteItem = {
  id: string;
  icon: IconComponent;
  /** plain text, or highlighted text from the search */
  text: string;
  marked?: string;
  number?: number | undefined;
  detail?: string | undefined;
  keys?: string | undefined;
  /** the record type to which Tab narrows the search */
  type?: string | undefined;
  /** opened in a new tab with ⌘↵ */
  path?: string | undefined;
  run(): unknown;
};
export type PaletteGroup = { label: string; items: PaletteItem[] };

/** The first letter of the text may select the mode. */
export type PaletteMode = "all" | "actions" | "people" | "knowledge";
export function parseMode(text: string): { mode: PaletteMode; words: string } {
  const modes: Readonly<Record<string, PaletteMode>> = { ">": "actions", "@": "people", "?": "knowledge" };
  const mode = modes[text[0] ?? ""];
  return mode === undefined ? { mode: "all", words: text.trim() } : { mode, words: text.slice(1).trim() };
}

/** Icons of actions that only the palette shows, so that pages don't load them. */
const ownIcons: Readonly<Record<string, IconComponent>> = {
  "request.member": IconUserUp,
  "request.team": IconUsersPlus,
  "request.status": IconProgress,
  "request.impact": IconAntennaBars3,
  "request.wait": IconHourglassLow,
  "request.linkCi": IconDevicesPlus,
};

const fromAction = (action: Action): PaletteItem => ({
  id: `action ${action.id}`,
  icon: action.icon ?? ownIcons[action.id] ?? IconSearch,
  text: action.name,
  keys: action.keys,
  run() {
    countAction(action.id);
    return action.run();
  },
});

function fromRecord(account: string, type: string, id: number, text: string, marked?: string): PaletteItem[] {
  const declared = findType(type.replaceAll("-", "_"));
  if (declared === undefined) return [];
  const path = paths.record(account, declared, id);
  const item: PaletteItem = {
    id: `record ${type} ${id}`,
    icon: typeIcon(declared.name),
    text,
    number: id,
    detail: typeLabel(declared),
    type: declared.name,
    path,
    run: () => navigateTo(path),
  };
  return [marked === undefined ? item : { ...item, marked }];
}

const here: readonly ActionGroup[] = ["record", "selection", "write", "list"];

function matchActions(actions: readonly Action[], words: string, groups: readonly ActionGroup[], most: number) {
  return actions
    .filter((action) => groups.includes(action.group) && action.keysOnly !== true)
    .map((action) => ({ action, rank: rankMatch(words, action.name, action.words) }))
    .filter(({ rank }) => rank > 0)
    .sort((one, other) => other.rank - one.rank)
    .slice(0, most)
    .map(({ action }) => fromAction(action));
}

type PaletteContext = {
  account: string;
  text: string;
  actions: readonly Action[];
  context: string | null;
  results: readonly SearchResult[];
  recents: readonly Recent[];
};

/** Without text: recent records and frequent actions; with text: its matches. */
export function buildGroups({ account, text, actions, context, results, recents }: PaletteContext): PaletteGroup[] {
  const { mode, words } = parseMode(text);
  const onThis = context === null ? t("palette.here") : t("palette.on", { what: context });
  const records = results.flatMap(({ type, id, title, highlights }) =>
    fromRecord(account, type, id, title, highlights.title),
  );
  const everything: PaletteItem = {
    id: "search everything",
    icon: IconSearch,
    text: t("palette.everything", { text: words }),
    path: paths.search(account, words),
    run: () => navigateTo(paths.search(account, words)),
  };
  if (mode === "people" || mode === "knowledge") return keep([{ label: t("palette.records"), items: records }]);
  if (mode === "actions")
    return keep([
      { label: onThis, items: matchActions(actions, words, here, 50) },
      { label: t("actions.group.general"), items: matchActions(actions, words, ["general"], 50) },
      { label: t("actions.group.go"), items: matchActions(actions, words, ["go"], 50) },
      { label: t("actions.group.settings"), items: matchActions(actions, words, ["settings"], 50) },
    ]);
  if (words === "")
    return keep([
      { label: onThis, items: matchActions(actions, "", here, 5) },
      {
        label: t("palette.recent"),
        items: recents.slice(0, 6).flatMap(({ type, id, subject }) => fromRecord(account, type, id, subject)),
      },
      { label: t("palette.often"), items: pickMostUsed(actions) },
    ]);
  const named = parseWorkId(words);
  const direct =
    named === null || named.type !== null || records.some(({ number }) => number === named.id)
      ? []
      : fromRecord(account, "request", named.id, t("palette.openRequest", { id: String(named.id) }));
  // A bare number refers to a request; other records with that number come after it.
  const means = (item: PaletteItem): boolean =>
    named !== null && item.type === (named.type ?? "request") && item.number === named.id;
  const byMeaning = (one: PaletteItem, other: PaletteItem): number => Number(means(other)) - Number(means(one));
  const onThese = matchActions(actions, words, here, 6);
  const goTo = matchActions(actions, words, ["go", "general"], 5);
  const settings = matchActions(actions, words, ["settings"], 4);
  // All groups are visible together: if the words also match places and actions, fewer records are listed.
  const most = onThese.length + goTo.length + settings.length > 0 ? 5 : records.length;
  const groups = [
    { label: onThis, items: onThese },
    { label: t("palette.records"), items: [...direct, ...records.toSorted(byMeaning).slice(0, most), everything] },
    { label: t("actions.group.go"), items: goTo },
    { label: t("actions.group.settings"), items: settings },
  ];
  // A typed number refers to a record, not to an action.
  if (named !== null) groups.unshift(...groups.splice(1, 1));
  return keep(groups);
}

function pickMostUsed(actions: readonly Action[]): PaletteItem[] {
  const used = loadUsedActions();
  return actions
    .filter(({ keysOnly, group }) => keysOnly !== true && !here.includes(group))
    .toSorted((one, other) => (used[other.id] ?? 0) - (used[one.id] ?? 0))
    .slice(0, 5)
    .map(fromAction);
}

const keep = (groups: PaletteGroup[]): PaletteGroup[] => groups.filter(({ items }) => items.length > 0);
