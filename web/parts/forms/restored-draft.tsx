import type { DraftHandle } from "../../drafts/use-draft.ts";
import { t } from "../../languages/index.ts";
import { Timestamp } from "../timestamp.tsx";

/** Shown above a form that opens with a restored draft. */
export function RestoredDraft({ draft, onDiscard }: { draft: DraftHandle; onDiscard(): void }) {
  if (draft.restored === null || draft.isEmpty) return null;
  return (
    <div className="restored-draft" role="status">
      {t("form.restored")} <Timestamp at={draft.restored.at} />
      <button type="button" className="text-button" onClick={onDiscard}>
        {t("form.discard")}
      </button>
    </div>
  );
}
