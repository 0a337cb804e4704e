import { Suspense } from "react";
import { lazyPart } from "../../../elements/lazy-part.tsx";
import { SkeletonRows } from "../../../parts/states/skeleton-rows.tsx";
import { Timeline } from "../timeline/timeline.tsx";
import type { WorkItem } from "./use-work-item.ts";

const NotesTab = lazyPart(async () => (await import("./notes-tab.tsx")).default);

/** The tabs of all pages with tabs: notes with the composer, and changes. */
export function NotesAndHistory({ page }: { page: WorkItem }) {
  const { type, row, parts, locked, tab, revertChange } = page;
  if (tab === "notes")
    return (
      <Suspense fallback={<SkeletonRows rows={5} />}>
        <NotesTab {...{ type, row, parts, locked }} onComplete={() => page.setDialog({ is: "complete" })} />
      </Suspense>
    );
  if (tab !== "history") return null;
  return (
    <div className="workflow-notes">
      <div className="request-scroll">
        <Timeline type={type} row={row} parts={parts} only="changes" revertChange={revertChange} />
      </div>
    </div>
  );
}
