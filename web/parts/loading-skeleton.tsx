import { t } from "../languages/index.ts";
import { useIsConnected } from "../live/connectivity.ts";
import { OfflineState } from "./states/offline-state.tsx";

/** Grey lines in the shape of the content being loaded. */
export function LoadingSkeleton({ rows = 6 }: { rows?: number }) {
  if (!useIsConnected()) return <OfflineState isPage={rows >= 6} />;
  return (
    <div className="skeleton-lines" aria-busy="true">
      <span className="spoken" role="status">
        {t("app.loading")}
      </span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all the same
        <div key={row} className="skeleton-bar" style={{ inlineSize: `${95 - ((row * 17) % 40)}%` }} />
      ))}
    </div>
  );
}
