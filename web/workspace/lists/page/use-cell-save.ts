import { useState } from "react";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import type { Row } from "../../../api/index.ts";
import { showError } from "../../../elements/toast.tsx";
import { isNegative } from "../../../queries/status-order.ts";
import { type ShowChange, useRowSave } from "../use-row-save.ts";

/** Saves values of rows. A status that refuses the record, such as "declined", asks for a reason first. */
export function useCellSave(type: RecordType, show: ShowChange, leaveCell: () => void) {
  const saveRow = useRowSave(type, show);
  const [refusal, setRefusal] = useState<{ row: Row; status: string } | null>(null);
  /** Resolves to false if the value was rejected. */
  const save = async (row: Row, name: string, value: unknown): Promise<boolean> => {
    leaveCell();
    if (name === "status" && isNegative(String(value))) {
      setRefusal({ row, status: String(value) });
      return true;
    }
    try {
      await saveRow(row, { [name]: value });
      return true;
    } catch (error) {
      showError(error);
      return false;
    }
  };
  return { saveRow, save, refusal, closeRefusal: () => setRefusal(null) };
}
