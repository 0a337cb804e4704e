import type { ReactNode } from "react";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import { ApiError, type Row } from "../../../api/index.ts";
import { CollisionGuard } from "../../../parts/save/collision-dialog.tsx";
import { ErrorPanel } from "../../../parts/states/error-panel.tsx";
import { Forbidden } from "../../../parts/states/forbidden.tsx";
import { NotFound } from "../../../parts/states/not-found.tsx";
import { SkeletonRows } from "../../../parts/states/skeleton-rows.tsx";
import { usePageRecord } from "../../../queries/record-page.ts";

type Props = { type: RecordType; id: string; children(row: Row): ReactNode };

/** A work item by its id, or the reason why it isn't shown. */
export function LoadedWorkItem({ type, id, children }: Props) {
  const { data, error, refetch } = usePageRecord(type, id);
  if (data !== undefined) return <CollisionGuard type={type}>{children(data.row)}</CollisionGuard>;
  if (error instanceof ApiError && error.status === 403) return <Forbidden type={type} />;
  if (error instanceof ApiError && error.status === 404) return <NotFound type={type} id={id} />;
  if (error !== null) return <ErrorPanel error={error} retry={() => void refetch()} level={1} />;
  return <SkeletonRows rows={10} />;
}
