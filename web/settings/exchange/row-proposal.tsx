import { useMemo } from "react";
import type { Field } from "../../../records/vocabulary/index.ts";
import { t } from "../../languages/index.ts";
import { findProposal } from "./proposals.ts";

type Props = {
  field: Field | undefined;
  /** as it stands in the file */
  cell: string;
  /** what was written in its place */
  corrected: string | undefined;
  /** rows with the same wrong cell that nobody has corrected, this one among them unless it is corrected */
  lines: readonly number[];
  onCorrect(lines: readonly number[], cell: string): void;
};

/** What a wrong cell may have meant, for all rows with the same one; after a correction, the same for the others. */
export function RowProposal({ field, cell, corrected, lines, onCorrect }: Props) {
  const proposal = useMemo(() => findProposal(field, cell), [field, cell]);
  if (corrected !== undefined) {
    if (lines.length === 0 || corrected === cell) return null;
    return (
      <button type="button" className="proposal" onClick={() => onCorrect(lines, corrected)}>
        {t("exchange.alsoIn", { count: lines.length })}
      </button>
    );
  }
  if (proposal === null) return null;
  return (
    <>
      <button type="button" className="proposal" onClick={() => onCorrect(lines, proposal.cell)}>
        {t("exchange.proposal", { value: proposal.label })}
      </button>
      {lines.length > 1 && <span className="quiet"> {t("exchange.inRows", { count: lines.length })}</span>}
    </>
  );
}
