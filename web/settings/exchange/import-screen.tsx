import { useQuery } from "@tanstack/react-query";
import { useCurrentAccount } from "../../api/current-account.ts";
import { settingsPaths } from "../../base/settings-paths.ts";
import { t } from "../../languages/index.ts";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { PageBar } from "../../parts/page-bar.tsx";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { exchangeQueries } from "../../queries/settings/exchange.ts";
import { CheckPage } from "./check-page.tsx";
import { exchangeTypeLabel, isRunning } from "./labels.ts";
import { RunPage } from "./run-page.tsx";
import "../../styles/areas/exchange.css";

const pollMilliseconds = 500;

/**
 * One file: its column mapping, the results of its check, and its import. The import continues after the page is
 * closed.
 */
export function ImportScreen({ token }: { token: string }) {
  const { account, api } = useCurrentAccount();
  const { data, error, refetch } = useQuery({
    ...exchangeQueries.import(api, token),
    refetchInterval: ({ state: { data: entry } }) =>
      entry !== undefined && (isRunning(entry) || (entry.undo !== null && entry.undo.state !== "done"))
        ? pollMilliseconds
        : false,
  });
  if (data === undefined)
    return (
      <div className="page">
        <PageBar
          title={t("exchange.import")}
          trail={[{ label: t("exchange.title"), path: settingsPaths.exchange(account.id) }]}
        />
        <div className="page-body">
          {error === null ? <LoadingSkeleton /> : <ErrorPanel error={error} retry={() => void refetch()} />}
        </div>
      </div>
    );
  const title = t("exchange.fromFile", { type: exchangeTypeLabel(data.type), file: data.file_name ?? "" });
  const Page = data.dry_run ? CheckPage : RunPage;
  return <Page entry={data} title={title} />;
}
