import IconCloudCheck from "@tabler/icons-react/dist/esm/icons/IconCloudCheck.mjs";
import IconCloudUp from "@tabler/icons-react/dist/esm/icons/IconCloudUp.mjs";
import type { DraftHandle } from "../../../drafts/use-draft.ts";
import { Icon } from "../../../elements/icon.tsx";
import { t } from "../../../languages/index.ts";
import { Timestamp } from "../../../parts/timestamp.tsx";

/** "Draft saved" only once a reload would preserve all of the draft. */
export function DraftNote({ draft }: { draft: DraftHandle }) {
  if (draft.isUploading)
    return (
      <span className="quiet draft-state" role="status">
        <Icon of={IconCloudUp} /> {t("request.composer.stillUploading")}
      </span>
    );
  if (!draft.isSaved) return null;
  return (
    <span className="quiet draft-state">
      <Icon of={IconCloudCheck} />{" "}
      {draft.restored === null ? (
        t("request.composer.saved")
      ) : (
        <>
          {t(draft.restored.elsewhere ? "request.composer.elsewhere" : "request.composer.restored")}{" "}
          <Timestamp at={draft.restored.at} />
        </>
      )}
    </span>
  );
}
