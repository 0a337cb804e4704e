import { useParams } from "@tanstack/react-router";
import { useCurrentAccount } from "../../api/current-account.ts";
import { ApiError } from "../../api/index.ts";
import { paths } from "../../base/paths.ts";
import { t } from "../../languages/index.ts";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { PageBar } from "../../parts/page-bar.tsx";
import { findReport, firstDashboard } from "./dashboards.ts";
import { type Dashboards, describeSharing, type ShownDashboard, useDashboards } from "./edit/kept-dashboards.ts";
import { chooseStandard } from "./edit/tile-choice.ts";
import { useDashboardEdit } from "./edit/use-dashboard-edit.tsx";
import { useTeams } from "./page-choice.tsx";
import { TilesPage } from "./tiles-page.tsx";
import "../../styles/dashboards.css";

export function DashboardScreen() {
  const { key = firstDashboard }: { key?: string } = useParams({ strict: false });
  const dashboards = useDashboards();
  const shown = dashboards.find(key);
  // A customized dashboard must not appear in its standard form first.
  if (dashboards.isPending)
    return (
      <div className="page">
        <PageBar className="tiles-bar" title={shown?.title ?? t("menu.dashboard")} />
        <div className="page-body" />
      </div>
    );
  if (shown === null) return <ErrorMessage error={new ApiError(404, "")} />;
  return <EditableDashboard key={key} shown={shown} dashboards={dashboards} />;
}

function EditableDashboard({ shown, dashboards }: { shown: ShownDashboard; dashboards: Dashboards }) {
  const { account } = useCurrentAccount();
  const teams = useTeams();
  const edit = useDashboardEdit(shown, dashboards, teams);
  const others = dashboards.all.map((each) => ({
    name: each.key,
    label: each.title,
    second: describeSharing(each) ?? undefined,
    path: paths.dashboard(account.id, each.key),
    isStandard: each.isStandard,
  }));
  return (
    <TilesPage
      report={`dashboards/${shown.key}`}
      name={shown.key}
      title={shown.title}
      lead={shown.lead}
      sharing={describeSharing(shown)}
      tiles={edit.tiles}
      commands={edit.commands}
      bar={edit.bar}
      actions={edit.actions}
      others={others}
      trail={[]}
      teams={teams}
    >
      {edit.layers}
    </TilesPage>
  );
}

export function ReportScreen() {
  const { key = "" }: { key?: string } = useParams({ strict: false });
  const { account } = useCurrentAccount();
  const teams = useTeams();
  const found = findReport(key);
  if (found === undefined) return <ErrorMessage error={new ApiError(404, "")} />;
  return (
    <TilesPage
      key={key}
      report={`reports/${key}`}
      name={key}
      title={t(found.title)}
      lead={t(found.lead)}
      sharing={null}
      tiles={chooseStandard(found.tiles)}
      commands={null}
      bar={null}
      actions={[]}
      others={[]}
      trail={[{ label: t("menu.reports"), path: paths.reports(account.id) }]}
      teams={teams}
    />
  );
}
