import { useMemo } from "react";
import type { Field } from "../../../records/vocabulary/index.ts";
import { t } from "../../languages/index.ts";
import { findProposal } from "./proposals.ts";

type Props = {
  field: Field | undefined;
  /** the original text in the file */
  cell: string;
  /** the corrected text */
  corrected: string | undefined;
  /** uncorrected rows with the same wrong cell, including this one unless it is corrected */
  lines: readonly number[];
  onCorrect(lines: readonly number[], cell: string): void;
};

/**
 * A proposed correction of a wrong cell, for all rows with the same one; after a correction, it is offered for the
 * others.
 */
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
