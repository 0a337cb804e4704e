import { Button } from "@mantine/core";
import IconMail from "@tabler/icons-react/dist/esm/icons/IconMail.mjs";
import { useCurrentAccount } from "../../api/current-account.ts";
import { formatAhead } from "../../base/moments.ts";
import { Icon } from "../../elements/icon.tsx";
import { Link } from "../../elements/link.tsx";
import { showError, showMessage } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { useNow } from "../../parts/now.ts";
import { useDashboards } from "./edit/kept-dashboards.ts";
import { describeReport, useSchedules } from "./schedules.ts";

/** The reports sent by email, each with a button that ends it. */
export function ScheduleList() {
  const { account, who } = useCurrentAccount();
  const { schedules, end } = useSchedules();
  const dashboards = useDashboards();
  const now = useNow();
  if (schedules.length === 0) return <p className="quiet schedule-none">{t("schedule.none")}</p>;
  const stop = async (id: number) => {
    try {
      await end(id);
      showMessage(t("schedule.ended"));
    } catch (error) {
      showError(error);
    }
  };
  return (
    <ul className="schedule-list" aria-label={t("schedule.list")}>
      {schedules.map((schedule) => {
        const { id, frequency, team, person, recipients, next_at } = schedule;
        const { title, path } = describeReport(account.id, schedule);
        const [folder, key = ""] = schedule.report.split("/");
        // A private dashboard can be sent, but others can't open it.
        const isOpen = folder !== "dashboards" || dashboards.find(key) !== null;
        return (
          <li key={id}>
            <Icon of={IconMail} size={18} />
            <div className="schedule-words">
              {isOpen ? (
                <Link to={path} className="report-name">
                  {title}
                </Link>
              ) : (
                <span className="report-name">{title}</span>
              )}
              <p className="quiet">
                {[
                  t(`schedule.${frequency}`),
                  ...(team === null ? [] : [team.name]),
                  t("schedule.to", { names: recipients.map(({ name }) => name).join(", ") }),
                  t("schedule.next", { when: formatAhead(Date.parse(next_at), now) }),
                  ...(person.id === who.person.id ? [] : [t("schedule.by", { name: person.name })]),
                ].join(" · ")}
              </p>
            </div>
            <Button
              variant="default"
              size="xs"
              aria-label={t("schedule.endOf", { report: title })}
              onClick={() => void stop(id)}
            >
              {t("schedule.end")}
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
