import { useEffect, useState } from "react";
import { t } from "../../languages/index.ts";
import { useIsConnected } from "../../live/connectivity.ts";
import { OfflineState } from "./offline-state.tsx";

const delay = 150; // milliseconds: faster content needs no placeholder

/** Grey shapes in the geometry of rows, shown once loading has taken 150 ms. */
export function SkeletonRows({ rows = 8 }: { rows?: number }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), delay);
    return () => clearTimeout(timer);
  }, []);
  if (!useIsConnected()) return <OfflineState isPage={rows >= 6} />;
  return (
    <div className="skeleton-rows" aria-busy="true" data-late={late || undefined}>
      <span role="status" className="spoken">
        {late ? t("app.loading") : ""}
      </span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all the same
        <div className="skeleton-row" key={row} aria-hidden="true">
          <span className="skeleton-dot" />
          <span className="skeleton-bar" data-width={1} />
          <span className="skeleton-bar" data-width={((row * 3) % 4) + 2} />
          <span className="skeleton-bar skeleton-end" data-width={1} />
        </div>
      ))}
    </div>
  );
}
