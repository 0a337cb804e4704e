import { useEffect, useState } from "react";
import { ApiError } from "../../api/index.ts";
import { useIsConnected } from "../../live/connectivity.ts";
import { describeError } from "../frame/toasts.tsx";
import { t } from "../words.ts";

/** Placeholder bars, shown once loading takes longer than a moment; without a connection, an explanation. */
export function Loading({ rows = 4 }: { rows?: number }) {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), 150);
    return () => clearTimeout(timer);
  }, []);
  if (!useIsConnected())
    return (
      <div className="panel state" role="status">
        <h2>{t("offline.title")}</h2>
        <p>{t("offline.page")}</p>
      </div>
    );
  if (!shown) return null;
  return (
    <div className="loading" aria-busy="true">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <span key={row} />
      ))}
    </div>
  );
}

export function ErrorPanel({ error, retry }: { error: unknown; retry?: () => void }) {
  const id = error instanceof ApiError ? error.requestId : null;
  const status = error instanceof ApiError ? error.status : 0;
  const isMissing = status === 404 || status === 403;
  const title = status === 404 ? "error.nothingHere" : status === 403 ? "error.noAccess" : "error.title";
  return (
    <div className="panel state" role="alert">
      <h1>{t(title)}</h1>
      <p>{describeError(error)}</p>
      {retry !== undefined && !isMissing && (
        <button type="button" className="button" onClick={retry}>
          {t("error.retry")}
        </button>
      )}
      {id !== null && !isMissing && <p className="quiet small">{t("error.number", { id })}</p>}
    </div>
  );
}
