import type { SettingsDraft } from "../drafts/use-settings-draft.ts";
import { t } from "../languages/index.ts";
import { RestoredDraft } from "../parts/forms/restored-draft.tsx";

/** Shown above a form that opens with a restored draft; warns if the saved values are newer than the draft. */
export function DraftNote({ draft, isOutdated }: Pick<SettingsDraft<object>, "draft" | "isOutdated">) {
  if (!isOutdated) return <RestoredDraft draft={draft} onDiscard={draft.remove} />;
  return (
    <div className="restored-draft" data-tone="yellow" role="status">
      {t("form.outdated")}
      <button type="button" className="text-button" onClick={draft.remove}>
        {t("form.useSaved")}
      </button>
    </div>
  );
}
