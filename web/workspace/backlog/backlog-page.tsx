import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import IconScissors from "@tabler/icons-react/dist/esm/icons/IconScissors.mjs";
import IconTarget from "@tabler/icons-react/dist/esm/icons/IconTarget.mjs";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Fragment, useLayoutEffect, useRef, useState } from "react";
import type { Action } from "../../actions/action.ts";
import { ActionButton } from "../../actions/action-button.tsx";
import { useActions } from "../../actions/registry.ts";
import { ApiError } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { t } from "../../languages/index.ts";
import { lazyDialog } from "../../parts/dialogs/lazy-dialog.tsx";
import { useDrag } from "../../parts/drag/use-drag.ts";
import { useMovedFocus } from "../../parts/drag/use-moved-focus.ts";
import { useSlide } from "../../parts/drag/use-slide.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Kbd } from "../../parts/kbd.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { PageBar } from "../../parts/page-bar.tsx";
import { Avatar } from "../../parts/people/avatar.tsx";
import { showError } from "../../parts/toast.tsx";
import { useVisit } from "../../queries/recents.ts";
import { findEntry } from "../../type-index.ts";
import { matches, readFilter } from "../boards/card-filter.ts";
import { FilterMenu } from "../boards/filter-menu.tsx";
import type { MoveTarget } from "../boards/move-menu.tsx";
import { type Card, cardKey, pickPosition } from "../boards/picture.ts";
import { sprintName } from "../boards/sprint-bar.tsx";
import { averagePoints } from "../boards/sprints/velocity.tsx";
import { TitleMenu } from "../boards/title-menu.tsx";
import { WorkspaceTabs } from "../boards/workspace-tabs.tsx";
import { useFrameSize } from "../shell/use-frame-size.ts";
import { BacklogRow, rowElementId } from "./backlog-row.tsx";
import { SprintPanel, sprintZone } from "./sprint-panel.tsx";
import { useBacklog } from "./use-backlog.ts";
import { usePlan } from "./use-plan.ts";
import "../../styles/boards.css";
import { putInPlace, RowBoundary } from "../../parts/lists/row-boundary.tsx";

const AddCard = lazyDialog(async () => (await import("../boards/add-card.tsx")).default);
const CompleteSprint = lazyDialog(async () => (await import("../boards/sprints/complete-sprint.tsx")).default);

const listZone = "backlog";
const estimateKeys = [1, 2, 3, 5, 8];

/** What is to be done, in its order, and the sprint that comes next. */
export function BacklogScreen({ id }: { id: string }) {
  const { account, may } = useCurrentAccount();
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as Record<string, string | undefined>;
  const { phone } = useFrameSize();
  const [spoken, announce] = useState("");
  const [active, setActive] = useState<string | null>(null);
  const [open, setOpen] = useState<"add" | "complete" | null>(null);
  const [isFiltering, setFiltering] = useState(false);
  const list = useRef<HTMLOListElement>(null);
  const plan = usePlan(id, announce);
  const drag = useDrag({
    enabled: !phone,
    onDrop(item, { zone, index }) {
      const card = findItem(item);
      if (card === undefined) return;
      if (zone === sprintZone) planItem(card, false);
      else rankAmong(card, index);
    },
  });
  const { data: backlog, error, refetch } = useBacklog(account.id, id, drag.dragged !== null);
  const filter = readFilter(search);
  const view = useRef(filter);
  view.current = filter;
  const seen = (backlog?.items ?? []).filter((card) => matches(card, filter));
  useVisit(backlog === undefined ? null : { type: "product_backlog", id: backlog.id, subject: backlog.name });
  useSlide(list, seen.map(cardKey).join(), drag.dragged !== null);

  const findItem = (key: string | null): Card | undefined => plan.read()?.items.find((card) => cardKey(card) === key);
  const nextSprint = () => plan.read()?.sprints.find(({ status }) => status === "registered") ?? null;
  const activeSprint = () => plan.read()?.sprints.find(({ status }) => status === "active") ?? null;
  const keepFocus = useMovedFocus(rowElementId);
  const focusRow = (key: string) => {
    setActive(key);
    keepFocus(key);
  };
  const rankAmong = (card: Card, index: number) => {
    const items = plan.read()?.items ?? [];
    const position = pickPosition(
      items,
      card,
      items.filter((each) => matches(each, view.current)),
      index,
    );
    if (position === null) return;
    void plan.rank(card, position);
    focusRow(cardKey(card));
  };
  const step = (card: Card, by: -1 | 1) => {
    const items = (plan.read()?.items ?? []).filter((each) => matches(each, view.current));
    const at = items.findIndex((each) => cardKey(each) === cardKey(card));
    if (at + by >= 0 && at + by < items.length) rankAmong(card, at + by);
  };
  /** `toggles`: the key takes out what is in. */
  const planItem = (card: Card, toggles = true) => {
    const sprint = nextSprint();
    if (sprint === null) return;
    const isIn = sprint.items.some((item) => item.type === card.type && item.record === card.id);
    if (!isIn || toggles) void plan.plan(card, sprint);
  };
  const withActive = (act: (card: Card) => void) => () => {
    const card = findItem(active);
    if (card !== undefined) act(card);
  };
  const focusBy = (by: number) => {
    const at = seen.findIndex((card) => cardKey(card) === active);
    const next = seen[Math.min(Math.max(at + by, 0), seen.length - 1)];
    if (next !== undefined) focusRow(cardKey(next));
  };
  const startNext = () => {
    const [next, running] = [nextSprint(), activeSprint()];
    if (next === null) return;
    if (running !== null)
      showError(new ApiError(422, "", [["status", t("backlog.running", { sprint: sprintName(running) })]]));
    else void plan.start(next);
  };

  const current = seen.find((card) => cardKey(card) === active);
  const mayChange = (card: Card | undefined): boolean => {
    const entry = card === undefined ? undefined : findEntry(card.type);
    return entry !== undefined && backlog?.disabled === false && may("update", entry);
  };
  const [request, sprintType] = [findEntry("request"), findEntry("sprint")];
  const mayAdd = backlog?.disabled === false && request !== undefined && may("create", request);
  const mayPlan = sprintType !== undefined && may("update", sprintType);
  const next = backlog?.sprints.find(({ status }) => status === "registered") ?? null;
  const running = backlog?.sprints.find(({ status }) => status === "active") ?? null;
  const hasRow = mayChange(current);
  const targetsOf = (card: Card) => (): MoveTarget[] => [
    { id: "top", name: t("backlog.toTop"), keys: "shift+t", run: () => rankAmong(card, 0) },
    { id: "up", name: t("backlog.up"), keys: "shift+arrowup", run: () => step(card, -1) },
    { id: "down", name: t("backlog.down"), keys: "shift+arrowdown", run: () => step(card, 1) },
    ...(next === null || !mayPlan
      ? []
      : [
          {
            id: "plan",
            name: t("backlog.plan", { number: next.number }),
            keys: "p",
            apart: true,
            run: () => planItem(card),
          },
        ]),
  ];
  const add: Action = {
    id: "backlog.add",
    name: t("backlog.add"),
    group: "list",
    icon: IconPlus,
    keys: "n",
    when: mayAdd,
    run: () => setOpen("add"),
  };
  const rowAction = (name: string, label: string, keys: string, act: (card: Card) => void): Action => ({
    id: `backlog.${name}`,
    name: label,
    group: "record",
    keys,
    when: hasRow,
    run: withActive(act),
  });
  useActions([
    add,
    { id: "backlog.filter", name: t("boards.filter"), group: "list", keys: "f", run: () => setFiltering(true) },
    rowAction("up", t("backlog.up"), "shift+arrowup", (card) => step(card, -1)),
    rowAction("down", t("backlog.down"), "shift+arrowdown", (card) => step(card, 1)),
    rowAction("top", t("backlog.toTop"), "shift+t", (card) => rankAmong(card, 0)),
    ...(mayPlan && next !== null
      ? [rowAction("plan", t("backlog.plan", { number: next.number }), "p", (card) => planItem(card))]
      : []),
    ...estimateKeys.map((points) =>
      rowAction(
        `estimate.${points}`,
        t("backlog.estimate", { count: points }),
        String(points),
        (card) => void plan.estimate(card, points),
      ),
    ),
    {
      id: "backlog.focus.up",
      name: t("boards.focus"),
      group: "list",
      keys: "arrowup",
      keysOnly: true,
      run: () => focusBy(-1),
    },
    {
      id: "backlog.focus.down",
      name: t("boards.focus"),
      group: "list",
      keys: "arrowdown",
      keysOnly: true,
      run: () => focusBy(1),
    },
  ]);
  const firstKey = seen[0] === undefined ? null : cardKey(seen[0]);
  const isGone = active !== null && backlog !== undefined && current === undefined;
  useLayoutEffect(() => {
    if ((active === null || isGone) && firstKey !== null) setActive(firstKey);
  }, [active, isGone, firstKey]);

  if (error !== null) return <ErrorMessage error={error} retry={() => void refetch()} />;
  if (backlog === undefined) return <LoadingSkeleton rows={12} />;
  const average = averagePoints(backlog.sprints);
  let points = 0;
  const others = seen.filter((card) => cardKey(card) !== drag.dragged?.item);
  const placeBefore = drag.over?.zone === listZone ? (others[drag.over.index] ?? null) : undefined;
  const place = <li key="place" className="drop-line" aria-hidden="true" />;
  return (
    <div className="page">
      <PageBar
        title={backlog.workspace?.name ?? backlog.name}
        windowTitle={backlog.name}
        actions={
          <>
            <FilterMenu
              cards={backlog.items}
              filter={filter}
              opened={isFiltering}
              onOpened={setFiltering}
              onChange={(wanted) =>
                void navigate({
                  to: ".",
                  search: Object.fromEntries(
                    Object.entries({ ...search, ...wanted }).filter(([, value]) => value),
                  ) as never,
                  replace: true,
                })
              }
            />
            <ActionButton action={add} primary compact={phone} />
          </>
        }
      >
        <TitleMenu id={backlog.id} collection="product_backlogs" />
        <WorkspaceTabs board={null} workspace={backlog.workspace} current="backlog" count={backlog.items.length} />
      </PageBar>
      <div className="page-body backlog">
        <div className="backlog-main">
          <p className="backlog-goal">
            {backlog.goal !== null && (
              <>
                <Icon of={IconTarget} /> <span className="quiet">{t("backlog.goal")}</span> <span>{backlog.goal}</span>
              </>
            )}
            {backlog.product_owner !== null && (
              <span className="backlog-owner">
                <span className="quiet">{t("backlog.owner")}</span> <Avatar person={backlog.product_owner} size={20} />
              </span>
            )}
          </p>
          {seen.length === 0 ? (
            <EmptyState title={backlog.items.length === 0 ? t("backlog.empty") : t("backlog.noMatch")}>
              {backlog.items.length === 0 && <ActionButton action={add} />}
            </EmptyState>
          ) : (
            <ol ref={list} className="backlog-rows" aria-label={backlog.name} {...drag.zone(listZone)}>
              {seen.map((card) => {
                const key = cardKey(card);
                const before = points;
                points += card.estimate ?? 0;
                const isFull = average !== null && next !== null && before <= average && points > average && before > 0;
                return (
                  <Fragment key={key}>
                    {placeBefore === card && place}
                    {isFull && (
                      <li className="fit-line">
                        <span>
                          <Icon of={IconScissors} size={14} /> {t("backlog.fits", { number: next.number })}
                        </span>
                      </li>
                    )}
                    <li
                      className="backlog-row"
                      data-active={key === active || undefined}
                      {...(mayChange(card) ? drag.source(key) : { "data-drag-item": key })}
                    >
                      <RowBoundary row={card} frame={putInPlace}>
                        {() => (
                          <BacklogRow
                            card={card}
                            isActive={key === active}
                            isPlanned={
                              next?.items.some((item) => item.type === card.type && item.record === card.id) ?? false
                            }
                            mayChange={mayChange(card)}
                            targets={targetsOf(card)}
                            onActive={() => setActive(key)}
                            onEstimate={(wanted) => void plan.estimate(card, wanted)}
                          />
                        )}
                      </RowBoundary>
                    </li>
                  </Fragment>
                );
              })}
              {placeBefore === null && place}
            </ol>
          )}
          {!phone && seen.length > 0 && <KeyHints hasSprint={mayPlan && next !== null} />}
        </div>
        {backlog.workspace !== null && (
          <SprintPanel
            sprints={backlog.sprints}
            next={next}
            active={running}
            mayPlan={mayPlan}
            drag={drag}
            onStart={startNext}
            onComplete={() => setOpen("complete")}
            onCreate={() => void plan.createSprint(backlog.workspace?.id ?? 0)}
          />
        )}
      </div>
      <div role="status" className="spoken">
        {spoken}
      </div>
      {open === "add" && (
        <AddCard
          title={t("backlog.add")}
          draftKey={`product_backlog/${backlog.id}/new_card`}
          owner={backlog}
          place={{ product_backlog_id: backlog.id }}
          team={backlog.workspace?.team ?? null}
          onClose={() => setOpen(null)}
          onAdded={() => void plan.reload()}
        />
      )}
      {open === "complete" && running !== null && (
        <CompleteSprint
          sprint={running}
          next={next}
          onClose={() => setOpen(null)}
          onCompleted={() => void plan.reload()}
        />
      )}
    </div>
  );
}

function KeyHints({ hasSprint }: { hasSprint: boolean }) {
  return (
    <p className="key-hints quiet small">
      <Kbd keys="shift+arrowup" /> {t("backlog.hint.up")} <Kbd keys="shift+arrowdown" /> {t("backlog.hint.down")}{" "}
      <Kbd keys="shift+t" /> {t("backlog.hint.top")} <Kbd keys="1" /> … <Kbd keys="8" /> {t("backlog.hint.estimate")}{" "}
      {hasSprint && (
        <>
          <Kbd keys="p" /> {t("backlog.hint.plan")}
        </>
      )}
    </p>
  );
}
