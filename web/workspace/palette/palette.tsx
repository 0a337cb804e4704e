import { Modal } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { useCurrentActionContext } from "../../actions/context.ts";
import { useAllActions } from "../../actions/registry.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { SearchResult } from "../../api/search.ts";
import { findType } from "../../base/record-types.ts";
import { Icon } from "../../elements/icon.tsx";
import { Kbd } from "../../elements/kbd.tsx";
import { t } from "../../languages/index.ts";
import { collectionLabel, lowerFirst, typeLabel } from "../../languages/labels.ts";
import { focusMarked } from "../../parts/dialogs/dialog-focus.ts";
import { useReturnFocus } from "../../parts/dialogs/return-focus.ts";
import { StatusIcon } from "../../parts/work/status.tsx";
import { formatWorkId } from "../../parts/work/work-id.ts";
import { useRecents } from "../../queries/kept/recents.ts";
import { searchQueries } from "../../queries/workspace/search.ts";
import { HighlightedText } from "../search/highlighted-text.tsx";
import { buildGroups, type PaletteItem, parseMode } from "./palette-items.ts";
import { useStatuses } from "./use-statuses.ts";

const typingDelay = 120; // milliseconds

function useSearchResults(text: string, narrowedTo: string | null): readonly SearchResult[] {
  const { api } = useCurrentAccount();
  const { mode, words } = parseMode(text);
  const [settledWords] = useDebouncedValue(words, typingDelay);
  const types =
    narrowedTo ?? (mode === "people" ? "person" : mode === "knowledge" ? "knowledge-article" : undefined) ?? undefined;
  const { data } = useQuery({
    ...searchQueries.palette(api, settledWords, types),
    enabled: settledWords !== "" && mode !== "actions",
  });
  return words === "" || mode === "actions" ? [] : (data?.rows ?? []);
}

/** ⌘K: finds records, opens pages, runs actions. */
export function Palette({ onClose, onShortcuts }: { onClose(): void; onShortcuts(): void }) {
  useReturnFocus();
  const { account } = useCurrentAccount();
  const [text, setText] = useState("");
  const [narrowedTo, setNarrowedTo] = useState<string | null>(null);
  const [at, setAt] = useState(0);
  const context = useCurrentActionContext();
  const actions = useAllActions();
  const recents = useRecents();
  const results = useSearchResults(text, narrowedTo);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const groups = useMemo(
    () => buildGroups({ account: account.id, text, actions, context: context?.label ?? null, results, recents }),
    [account.id, text, actions, context, results, recents],
  );
  const items = groups.flatMap((group) => group.items);
  const statuses = useStatuses(items);
  const current = items[Math.min(at, items.length - 1)];
  const chosen = current?.id;
  useEffect(() => {
    if (chosen !== undefined) list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [chosen]);

  const run = (item: PaletteItem | undefined, newTab: boolean) => {
    if (item === undefined) return;
    if (newTab && item.path !== undefined) window.open(item.path, "_blank", "noopener");
    else {
      onClose();
      // The dialog returns the focus first, because an action may open another one.
      setTimeout(() => item.run());
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setAt((was) => (Math.min(was, items.length - 1) + step + items.length) % Math.max(1, items.length));
    } else if (event.key === "Enter") {
      event.preventDefault();
      run(current, event.metaKey || event.ctrlKey);
    } else if (event.key === "Tab" && !event.shiftKey && current?.type !== undefined && narrowedTo === null) {
      event.preventDefault();
      setNarrowedTo(current.type);
      setAt(0);
    } else if (event.key === "Backspace" && text === "") setNarrowedTo(null);
    else if (event.key === "?" && text === "") {
      event.preventDefault();
      onShortcuts();
    }
  };
  const narrowable = narrowedTo === null ? findType(current?.type ?? "") : undefined;
  const narrowed = narrowedTo === null ? undefined : findType(narrowedTo);
  const chip = narrowed === undefined ? context : { label: typeLabel(narrowed) };
  return (
    <Modal.Root opened onClose={onClose} size={680} yOffset="14vh" transitionProps={{ duration: 0 }}>
      <Modal.Overlay />
      <Modal.Content ref={focusMarked} aria-label={t("actions.palette")} className="palette">
        <div className="palette-head">
          {chip !== null && (
            <span className="chip" data-tone="grey">
              {"work" in chip && chip.work !== undefined && <StatusIcon {...chip.work} size={14} silent />}
              {chip.label}
            </span>
          )}
          <input
            data-autofocus
            className="palette-input"
            role="combobox"
            aria-expanded="true"
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={current === undefined ? undefined : `${id}-${items.indexOf(current)}`}
            aria-label={t("actions.palette")}
            placeholder={t("palette.placeholder")}
            value={text}
            maxLength={255}
            onChange={(event) => {
              setText(event.currentTarget.value);
              setAt(0);
            }}
            onKeyDown={onKeyDown}
          />
          <span className="quiet palette-close">{t("palette.close")}</span>
        </div>
        <div className="palette-list" role="listbox" id={`${id}-list`} aria-label={t("actions.palette")} ref={list}>
          {groups.map((group) => (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset is for inputs
            <div role="group" aria-label={group.label} key={group.label}>
              <div className="palette-group" aria-hidden="true">
                {group.label}
              </div>
              {group.items.map((item) => {
                const place = items.indexOf(item);
                return (
                  <PaletteRow
                    key={item.id}
                    id={`${id}-${place}`}
                    item={item}
                    isChosen={item === current}
                    status={statuses.get(`${item.type} ${item.number}`)}
                    onChoose={() => setAt(place)}
                    onRun={(newTab) => run(item, newTab)}
                  />
                );
              })}
            </div>
          ))}
          {items.length === 0 && <div className="palette-none">{t("form.nothingFound")}</div>}
        </div>
        <PaletteFoot narrowable={narrowable} />
        <span className="spoken" role="status">
          {t("palette.count", { count: items.length })}
        </span>
      </Modal.Content>
    </Modal.Root>
  );
}

const ItemStatus = ({ type, status }: { type: string; status: string | undefined }) =>
  status === undefined ? null : (
    <span className="palette-status">
      <StatusIcon type={type} status={status} size={14} />
    </span>
  );

type RowProps = {
  id: string;
  item: PaletteItem;
  isChosen: boolean;
  status: string | undefined;
  onChoose(): void;
  onRun(newTab: boolean): void;
};

function PaletteRow({ id, item, isChosen, status, onChoose, onRun }: RowProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the keys of the list
    <div
      id={id}
      className="palette-item"
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      onMouseMove={onChoose}
      onClick={(event) => onRun(event.metaKey || event.ctrlKey)}
    >
      <Icon of={item.icon} />
      {item.number !== undefined && <span className="quiet numbers">{formatWorkId(item.type ?? "", item.number)}</span>}
      <span className="truncate">{item.marked === undefined ? item.text : <HighlightedText html={item.marked} />}</span>
      {item.detail !== undefined && <span className="quiet palette-detail">{item.detail}</span>}
      {item.type !== undefined && item.number !== undefined && <ItemStatus type={item.type} status={status} />}
      {item.keys !== undefined && (
        <span className="palette-keys">
          <Kbd keys={item.keys} />
        </span>
      )}
    </div>
  );
}

/** The keys of the palette. `narrowable`: the type of the chosen record, to which the search can be narrowed. */
function PaletteFoot({ narrowable }: { narrowable: RecordType | undefined }) {
  return (
    <div className="palette-foot" aria-hidden="true">
      <span>
        <Kbd keys="arrowup" /> <Kbd keys="arrowdown" /> {t("palette.choose")}
      </span>
      <span>
        <Kbd keys="enter" /> {t("palette.run")}
      </span>
      <span className="palette-wide">
        <Kbd keys="mod+enter" /> {t("palette.newTab")}
      </span>
      {narrowable !== undefined && (
        <span className="palette-wide">
          <Kbd keys="⇥" /> {t("palette.only", { types: lowerFirst(collectionLabel(narrowable)) })}
        </span>
      )}
      <span className="palette-end">
        <Kbd keys="?" /> {t("palette.shortcuts")}
      </span>
    </div>
  );
}
