import IconPlugConnectedX from "@tabler/icons-react/dist/esm/icons/IconPlugConnectedX.mjs";
import { t } from "../../languages/index.ts";
import { EmptyState } from "../empty-state.tsx";

/** Replaces content that will be loaded when the connection is back; `isPage`: it fills a page, not a part of one. */
export function OfflineState({ isPage }: { isPage: boolean }) {
  return (
    <div role="status" className="offline-state">
      {isPage ? (
        <EmptyState
          icon={IconPlugConnectedX}
          tone="yellow"
          title={t("states.offlineTitle")}
          lead={t("states.offlinePage")}
        />
      ) : (
        <p className="quiet">{t("states.offlinePart")}</p>
      )}
    </div>
  );
}
