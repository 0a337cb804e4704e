import IconLock from "@tabler/icons-react/dist/esm/icons/IconLock.mjs";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Suspense, useRef, useState } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { ActionButton } from "../../actions/action-button.tsx";
import { useCurrentAccount } from "../../api/current-account.ts";
import { navigateTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { findEntry } from "../../base/type-index.ts";
import { t } from "../../languages/index.ts";
import { lazyDialog } from "../../parts/dialogs/lazy-dialog.tsx";
import { useDrag } from "../../parts/drag/use-drag.ts";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { PageBar } from "../../parts/page-bar.tsx";
import { Bar } from "../../parts/states/bars.tsx";
import { useVisit } from "../../queries/kept/recents.ts";
import { useFrameSize } from "../shell/use-frame-size.ts";
import { BoardColumns } from "./board-columns.tsx";
import { BoardTools } from "./board-tools.tsx";
import { readFilter, readLanes } from "./card-filter.ts";
import type { OpenDialog } from "./card-options.ts";
import { ColumnSwitch } from "./column-switch.tsx";
import { type Board, type Card, findCard } from "./picture.ts";
import { SprintBar } from "./sprint-bar.tsx";
import { TitleMenu } from "./title-menu.tsx";
import { useBoard } from "./use-board.ts";
import { useCardActions } from "./use-card-actions.ts";
import { useMoves } from "./use-moves.ts";
import { WorkspaceTabs } from "./workspace-tabs.tsx";
import "../../styles/boards.css";
import { lazyPart } from "../../elements/lazy-part.tsx";

const BoardDialogs = lazyDialog(async () => (await import("./board-dialogs.tsx")).default);
const SprintsTab = lazyPart(async () => (await import("./sprints/sprints-tab.tsx")).default);

type Search = Readonly<Record<string, string | undefined>>;

/** Filter, lanes and tab are part of the address, so that a link shows the same board. */
function useBoardSearch() {
  const navigate = useNavigate();
  const search: Search = useSearch({ strict: false });
  const setSearch = (part: Readonly<Record<string, string>>) => {
    const next = Object.entries({ ...search, ...part }).filter(([, value]) => value !== undefined && value !== "");
    void navigate({ to: ".", search: Object.fromEntries(next), replace: true });
  };
  return { search, setSearch };
}

const findTab = ({ workspace }: Board, { tab }: Search) =>
  workspace !== null && (tab === "sprints" || tab === "reports") ? tab : "board";

/** While a card is dragged, other people's changes must not move cards: the board stays as it was. */
function useSteadyBoard(id: string, isHeld: boolean, onOthers: Parameters<typeof useBoard>[2]) {
  const { data, error, refetch } = useBoard(id, isHeld, onOthers);
  const heldBoard = useRef<Board | undefined>(undefined);
  if (!isHeld) heldBoard.current = data;
  return { board: isHeld ? heldBoard.current : data, error, refetch };
}

/** A board: columns of cards that can be moved by pointer, by keys and by menu. */
export function BoardScreen({ type, id }: { type: RecordType; id: string }) {
  const { account, may } = useCurrentAccount();
  const { search, setSearch } = useBoardSearch();
  const { phone } = useFrameSize();
  const [spoken, announce] = useState("");
  const [active, setActive] = useState<string | null>(null);
  const [menu, setMenu] = useState<string | null>(null);
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const [isFiltering, setFiltering] = useState(false);
  const [shownColumn, setShownColumn] = useState<number | null>(null);
  const moves = useMoves(id, announce);
  const drag = useDrag({
    enabled: !phone,
    onDrop(item, { zone, index }) {
      const now = moves.read();
      const card = now === undefined ? undefined : findCard(now, item);
      const [column, ...lane] = zone.split("|");
      if (card !== undefined) actions.moveTo(card, Number(column), { index, lane: lane.join("|") });
    },
  });
  const { board, error, refetch } = useSteadyBoard(id, drag.dragged !== null, moves.noticeOthers);
  const filter = readFilter(search);
  const lanes = readLanes(search.lanes);
  const all = board?.columns ?? [];
  const phoneColumn = all.find((each) => each.id === shownColumn) ?? all[0];
  const columns = !phone ? all : phoneColumn === undefined ? [] : [phoneColumn];
  const actions = useCardActions({
    ...{ board, columns, filter, lanes, active, moves },
    isQuiet: dialog !== null || menu !== null || isFiltering,
    onActive: setActive,
    onMenu: setMenu,
    onOpen: setDialog,
    onFilter: () => setFiltering(true),
  });
  useVisit(board === undefined ? null : { type: "agile_board", id: board.id, subject: board.name });

  const openCard = (card: Card) => {
    const entry = findEntry(card.type);
    if (actions.mayMove(card)) setDialog({ what: "edit", card });
    else if (entry !== undefined) navigateTo(paths.record(account.id, entry, card.id));
  };
  if (error !== null) return <ErrorMessage error={error} retry={() => void refetch()} />;
  if (board === undefined) return <LoadingSkeleton rows={10} />;
  const { workspace, sprint } = board;
  const tab = findTab(board, search);
  return (
    <div className="page">
      <PageBar
        title={board.name}
        actions={
          tab === "board" && (
            <BoardTools
              {...{ board, filter, lanes, isFiltering }}
              isNarrow={phone}
              onFiltering={setFiltering}
              onFilter={(wanted) => setSearch({ ...wanted })}
              onLanes={(wanted) => setSearch({ lanes: wanted === "none" ? "" : wanted })}
            >
              <ActionButton action={actions.add} primary compact={phone} />
            </BoardTools>
          )
        }
      >
        <TitleMenu id={board.id} collection="agile_boards" />
        <WorkspaceTabs board={board} workspace={workspace} current={tab} />
      </PageBar>
      {board.disabled && (
        <Bar tone="grey" icon={IconLock}>
          {t("boards.disabled")}
        </Bar>
      )}
      {tab !== "board" && workspace !== null ? (
        <Suspense fallback={<LoadingSkeleton rows={8} />}>
          <SprintsTab
            workspace={workspace}
            tab={tab}
            chosen={search.sprint}
            onChoose={(chosen) => setSearch({ sprint: chosen })}
          />
        </Suspense>
      ) : (
        <>
          {sprint !== null && <SprintBar sprint={sprint} onComplete={() => setDialog({ what: "complete" })} />}
          {phone && phoneColumn !== undefined && (
            <ColumnSwitch columns={all} chosen={phoneColumn.id} onChoose={setShownColumn} />
          )}
          <div className="page-body board-body">
            <BoardColumns
              {...{ board, columns, filter, lanes, drag, active, menu }}
              mayMove={actions.mayMove}
              mayEdit={may("update", type) && !board.disabled}
              mayAdd={actions.mayAdd}
              targetsOf={actions.targetsOf}
              onActive={setActive}
              onOpen={openCard}
              onMenu={(key) => {
                setMenu(key);
                if (key !== null) setActive(key);
              }}
              onAdd={(column) => setDialog({ what: "add", column: column.id })}
              onEditColumn={(column) => setDialog({ what: "column", column })}
            />
          </div>
        </>
      )}
      <div role="status" className="spoken">
        {spoken}
      </div>
      {dialog !== null && (
        <BoardDialogs
          {...{ board, dialog, moves }}
          onMove={actions.moveTo}
          onMoved={actions.focusCard}
          onClose={() => setDialog(null)}
        />
      )}
    </div>
  );
}
