import { t } from "../languages/index.ts";

/** Grey lines in the shape of what is coming. */
export function LoadingSkeleton({ rows = 6 }: { rows?: number }) {
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
