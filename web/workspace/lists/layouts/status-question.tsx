import type { RecordType } from "../../../../records/vocabulary/index.ts";
import type { Row } from "../../../api/index.ts";
import { showError } from "../../../elements/toast.tsx";
import { isNegative } from "../../../queries/status-order.ts";
import { CompleteDialog } from "../../work-item/complete-dialog.tsx";
import { getPageParts } from "../../work-item/page-parts.ts";
import RefusalDialog from "../../work-item/refusal-dialog.tsx";
import { WaitDialog } from "../../work-item/wait-dialog.tsx";
import "../../../styles/request.css";

type Props = {
  type: RecordType;
  row: Row;
  status: string;
  onAnswer(further: Readonly<Record<string, unknown>>): Promise<void>;
  onClose(): void;
};

/** Asks for the information that a status needs, with the dialogs of the record's page. */
export default function StatusQuestion({ type, row, status, onAnswer, onClose }: Props) {
  if (status === "waiting_for")
    return (
      <WaitDialog
        record={`${type.name}/${row.id}`}
        onClose={onClose}
        onChoose={(until) => {
          onClose();
          onAnswer({ waiting_until: until }).catch(showError);
        }}
      />
    );
  if (isNegative(status))
    return (
      <RefusalDialog
        type={type.name}
        id={row.id}
        status={status}
        onRefuse={(note) => onAnswer({ note })}
        onClose={onClose}
      />
    );
  return (
    <CompleteDialog
      type={type}
      row={row}
      parts={getPageParts(type.name)}
      onClose={onClose}
      onComplete={async (changes) => {
        await onAnswer(changes);
        return true;
      }}
    />
  );
}
