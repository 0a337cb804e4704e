import type { SettingsDraft } from "../drafts/use-settings-draft.ts";
import { t } from "../languages/index.ts";
import { RestoredDraft } from "../parts/forms/restored-draft.tsx";

/** Above a form that opens with what was typed earlier, and warns if the saved values are newer than that. */
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
