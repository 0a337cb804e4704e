import IconCheck from "@tabler/icons-react/dist/esm/icons/IconCheck.mjs";
import IconX from "@tabler/icons-react/dist/esm/icons/IconX.mjs";
import type { ReactNode } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import type { Row } from "../../api/index.ts";
import { Chip } from "../../elements/chip.tsx";
import { statusLabel } from "../../parts/work/status.tsx";
import type { NoteRow } from "../../queries/record-page.ts";
import { useApprovals } from "./approvals.ts";

const near = 1500; // milliseconds: moments have no fractions of a second

/** The author's vote beside a note: vote and note are saved at the same moment. */
export function useVoteMarks(type: RecordType, row: Row): (note: NoteRow) => ReactNode {
  const { data } = useApprovals(row.id, type.name === "task" && row.category === "approval");
  return (note) => {
    const vote = data?.find(
      ({ status, updated_at }) =>
        (status === "approved" || status === "rejected") &&
        Math.abs(Date.parse(updated_at) - Date.parse(note.created_at)) < near,
    );
    if (vote === undefined || note.medium === "system") return null;
    const isApproved = vote.status === "approved";
    return (
      <Chip tone={isApproved ? "green" : "red"} icon={isApproved ? IconCheck : IconX}>
        {statusLabel("task_approval", vote.status)}
      </Chip>
    );
  };
}
