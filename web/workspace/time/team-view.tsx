import { Button } from "@mantine/core";
import IconLock from "@tabler/icons-react/dist/esm/icons/IconLock.mjs";
import IconLockOpen from "@tabler/icons-react/dist/esm/icons/IconLockOpen.mjs";
import IconUsers from "@tabler/icons-react/dist/esm/icons/IconUsers.mjs";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCurrentAccount } from "../../api/current-account.ts";
import { formatMinutes } from "../../base/moments.ts";
import { Icon } from "../../elements/icon.tsx";
import { showError } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { timeQueries } from "../../queries/time.ts";

/** The people who have completed their week, and the locks that accept it. */
export function TeamView({ day, days }: { day: string; days: readonly string[] }) {
  const { api, who } = useCurrentAccount();
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(timeQueries.team(api, day, days));
  if (error !== null) return <ErrorPanel error={error} retry={() => void refetch()} />;
  if (data === undefined) return <SkeletonRows rows={6} />;
  const others = data.filter(({ id }) => id !== who.person.id);
  if (others.length === 0)
    return <EmptyState title={t("time.noTeam")} lead={t("time.noTeamLead")} icon={IconUsers} level={2} />;
  const setLock = async (person: number, isLocked: boolean) => {
    try {
      await api.call(`${isLocked ? "POST" : "DELETE"} /timesheets/lock`, { person_id: person, week_of: day });
    } catch (failure) {
      showError(failure);
    }
    await queries.invalidateQueries({ queryKey: timeQueries.teams(api) });
  };
  return (
    <div className="time-frame">
      <table className="time-grid time-team" aria-label={t("time.view.team")}>
        <thead>
          <tr>
            <th scope="col">{t("time.person")}</th>
            <th scope="col" className="numbers">
              {t("time.missingInWeek")}
            </th>
            <th scope="col">{t("time.state")}</th>
            <th scope="col">
              <span className="spoken">{t("time.lock")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {others.map(({ id, name, missing, isLocked }) => (
            <tr key={id}>
              <th scope="row">{name}</th>
              <td className="numbers" data-short={missing > 0 || undefined}>
                {missing > 0 ? formatMinutes(missing) : "–"}
              </td>
              <td>{t(isLocked === true ? "time.accepted" : missing > 0 ? "time.incomplete" : "time.complete")}</td>
              <td className="time-team-action">
                <Button
                  variant="default"
                  size="xs"
                  leftSection={<Icon of={isLocked === true ? IconLockOpen : IconLock} size={14} />}
                  aria-label={t(isLocked === true ? "time.unlockOf" : "time.lockOf", { name })}
                  onClick={() => void setLock(id, isLocked !== true)}
                >
                  {t(isLocked === true ? "time.unlock" : "time.lock")}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
