import { t } from "../../languages/index.ts";
import AddCard from "./add-card.tsx";
import type { OpenDialog } from "./card-options.ts";
import ColumnDialog from "./column-dialog.tsx";
import MoveDialog from "./move-dialog.tsx";
import { type Board, type Card, cardKey } from "./picture.ts";
import QuickEdit from "./quick-edit.tsx";
import CompleteSprint from "./sprints/complete-sprint.tsx";
import type { useMoves } from "./use-moves.ts";

type Props = {
  board: Board;
  dialog: OpenDialog;
  moves: ReturnType<typeof useMoves>;
  onMove(card: Card, column: number): void;
  onMoved(key: string): void;
  onClose(): void;
};

/** Loaded when the first dialog opens. */
export default function BoardDialogs({ board, dialog, moves, onMove, onMoved, onClose }: Props) {
  const reload = () => void moves.reload();
  switch (dialog.what) {
    case "edit":
      return (
        <QuickEdit card={dialog.card} columns={board.columns} onClose={onClose} onSaved={reload} onMove={onMove} />
      );
    case "ask":
      return (
        <MoveDialog
          card={dialog.card}
          column={dialog.column}
          onClose={onClose}
          onMove={async (further) => {
            await moves.tryMove(dialog.card, dialog.column.id, dialog.position, further, dialog.lane);
            onMoved(cardKey(dialog.card));
          }}
        />
      );
    case "add":
      return (
        <AddCard
          title={t("boards.addCard")}
          draftKey={`agile_board/${board.id}/new_card`}
          owner={board}
          place={{}}
          columns={board.columns.filter(({ deleted }) => !deleted)}
          column={dialog.column}
          team={board.workspace?.team ?? null}
          onClose={onClose}
          onAdded={reload}
        />
      );
    case "column":
      return <ColumnDialog board={board.id} column={dialog.column} onClose={onClose} onSaved={reload} />;
    case "complete":
      return board.sprint === null ? null : (
        <CompleteSprint sprint={board.sprint} next={board.next_sprint} onClose={onClose} onCompleted={reload} />
      );
  }
}
