import IconReportAnalytics from "@tabler/icons-react/dist/esm/icons/IconReportAnalytics.mjs";
import { useCurrentAccount } from "../../api/current-account.ts";
import { paths } from "../../base/paths.ts";
import { Icon } from "../../elements/icon.tsx";
import { Link } from "../../elements/link.tsx";
import { t } from "../../languages/index.ts";
import { PageBar } from "../../parts/page-bar.tsx";
import { reports } from "./dashboards.ts";
import { ScheduleList } from "./schedule-list.tsx";
import "../../styles/dashboards.css";

/** All reports, each with a one-sentence description. */
export function ReportsScreen() {
  const { account } = useCurrentAccount();
  return (
    <div className="page">
      <PageBar title={t("menu.reports")} />
      <div className="page-body">
        <ul className="report-list">
          {Object.entries(reports).map(([key, { title, lead }]) => (
            <li key={key}>
              <Icon of={IconReportAnalytics} size={18} />
              <div>
                <Link to={paths.report(account.id, key)} className="report-name">
                  {t(title)}
                </Link>
                <p className="quiet">{t(lead)}</p>
              </div>
            </li>
          ))}
        </ul>
        <h2 className="schedule-title">{t("schedule.list")}</h2>
        <ScheduleList />
      </div>
    </div>
  );
}
