import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import IconTarget from "@tabler/icons-react/dist/esm/icons/IconTarget.mjs";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { Action } from "../../actions/action.ts";
import { ActionButton } from "../../actions/action-button.tsx";
import { useActions } from "../../actions/registry.ts";
import { Icon } from "../../elements/icon.tsx";
import { Kbd } from "../../elements/kbd.tsx";
import { t } from "../../languages/index.ts";
import { lazyDialog } from "../../parts/dialogs/lazy-dialog.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { PageBar } from "../../parts/page-bar.tsx";
import { Avatar } from "../../parts/people/avatar.tsx";
import { useVisit } from "../../queries/kept/recents.ts";
import { type CardFilter, matches, readFilter } from "../boards/card-filter.ts";
import { FilterMenu } from "../boards/filter-menu.tsx";
import type { Sprint } from "../boards/picture.ts";
import { TitleMenu } from "../boards/title-menu.tsx";
import { WorkspaceTabs } from "../boards/workspace-tabs.tsx";
import { useFrameSize } from "../shell/use-frame-size.ts";
import { buildRowActions } from "./backlog-actions.ts";
import { BacklogRows } from "./backlog-rows.tsx";
import { SprintPanel } from "./sprint-panel.tsx";
import { type Backlog, useBacklog } from "./use-backlog.ts";
import { useBacklogCommands, useBacklogRights, useFirstActive } from "./use-backlog-commands.ts";
import { usePlan } from "./use-plan.ts";
import "../../styles/boards.css";

const AddCard = lazyDialog(async () => (await import("../boards/add-card.tsx")).default);
const CompleteSprint = lazyDialog(async () => (await import("../boards/sprints/complete-sprint.tsx")).default);

/** The filter is part of the address, so that a link shows the same items. */
function useFilter() {
  const navigate = useNavigate();
  const search: Readonly<Record<string, string | undefined>> = useSearch({ strict: false });
  const setFilter = (wanted: CardFilter) => {
    const next = Object.entries({ ...search, ...wanted }).filter(([, value]) => value);
    void navigate({ to: ".", search: Object.fromEntries(next), replace: true });
  };
  return { filter: readFilter(search), setFilter };
}

type OpenDialog = "add" | "complete" | null;

/** The backlog in order, and the next sprint. */
export function BacklogScreen({ id }: { id: string }) {
  const { phone } = useFrameSize();
  const [spoken, announce] = useState("");
  const [open, setOpen] = useState<OpenDialog>(null);
  const [isFiltering, setFiltering] = useState(false);
  const { filter, setFilter } = useFilter();
  const plan = usePlan(id, announce);
  const commands = useBacklogCommands(plan, filter, !phone);
  const { data: backlog, error, refetch } = useBacklog(id, commands.drag.dragged !== null);
  const rights = useBacklogRights(backlog);
  const seen = (backlog?.items ?? []).filter((card) => matches(card, filter));
  const current = useFirstActive(seen, backlog !== undefined, commands);
  const findSprint = (wanted: string) => backlog?.sprints.find(({ status }) => status === wanted) ?? null;
  const [next, running] = [findSprint("registered"), findSprint("active")];
  const planned = rights.mayPlan ? next : null;
  useVisit(backlog === undefined ? null : { type: "product_backlog", id: backlog.id, subject: backlog.name });
  const add: Action = {
    id: "backlog.add",
    name: t("backlog.add"),
    group: "list",
    icon: IconPlus,
    keys: "n",
    when: rights.mayAdd,
    run: () => setOpen("add"),
  };
  const hasRow = rights.mayChange(current);
  const onFilter = () => setFiltering(true);
  useActions([add, ...buildRowActions({ seen, hasRow, next: planned, commands, plan, onFilter })]);

  if (error !== null) return <ErrorMessage error={error} retry={() => void refetch()} />;
  if (backlog === undefined) return <LoadingSkeleton rows={12} />;
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
              onChange={setFilter}
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
          <Goal backlog={backlog} />
          {seen.length === 0 ? (
            backlog.items.length === 0 ? (
              <EmptyState title={t("backlog.empty")} lead={t("backlog.emptyLead")}>
                <ActionButton action={add} />
              </EmptyState>
            ) : (
              <EmptyState title={t("backlog.noMatch")} />
            )
          ) : (
            <BacklogRows
              {...{ backlog, seen, next, rights, commands }}
              onEstimate={(card, points) => void plan.estimate(card, points)}
            />
          )}
          {!phone && seen.length > 0 && <KeyHints hasSprint={planned !== null} />}
        </div>
        {backlog.workspace !== null && (
          <SprintPanel
            sprints={backlog.sprints}
            next={next}
            active={running}
            mayPlan={rights.mayPlan}
            drag={commands.drag}
            onStart={commands.startNext}
            onComplete={() => setOpen("complete")}
            onCreate={() => void plan.createSprint(backlog.workspace?.id ?? 0)}
          />
        )}
      </div>
      <div role="status" className="spoken">
        {spoken}
      </div>
      <Dialogs
        {...{ backlog, open, running, next }}
        onClose={() => setOpen(null)}
        onChanged={() => void plan.reload()}
      />
    </div>
  );
}

const Goal = ({ backlog: { goal, product_owner: owner } }: { backlog: Backlog }) => (
  <p className="backlog-goal">
    {goal !== null && (
      <>
        <Icon of={IconTarget} /> <span className="quiet">{t("backlog.goal")}</span> <span>{goal}</span>
      </>
    )}
    {owner !== null && (
      <span className="backlog-owner">
        <span className="quiet">{t("backlog.owner")}</span> <Avatar person={owner} size={20} />
      </span>
    )}
  </p>
);

type DialogProps = {
  backlog: Backlog;
  open: OpenDialog;
  running: Sprint | null;
  next: Sprint | null;
  onClose(): void;
  onChanged(): void;
};

const Dialogs = ({ backlog, open, running, next, onClose, onChanged }: DialogProps) => (
  <>
    {open === "add" && (
      <AddCard
        title={t("backlog.add")}
        draftKey={`product_backlog/${backlog.id}/new_card`}
        owner={backlog}
        place={{ product_backlog_id: backlog.id }}
        team={backlog.workspace?.team ?? null}
        onClose={onClose}
        onAdded={onChanged}
      />
    )}
    {open === "complete" && running !== null && (
      <CompleteSprint sprint={running} next={next} onClose={onClose} onCompleted={onChanged} />
    )}
  </>
);

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
