import { Button } from "@mantine/core";
import IconLock from "@tabler/icons-react/dist/esm/icons/IconLock.mjs";
import IconLockOpen from "@tabler/icons-react/dist/esm/icons/IconLockOpen.mjs";
import IconUsers from "@tabler/icons-react/dist/esm/icons/IconUsers.mjs";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ApiError } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { t } from "../../languages/index.ts";
import { formatMinutes } from "../../moments.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { Icon } from "../../parts/icon.tsx";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { showError } from "../../parts/toast.tsx";
import type { MonthSheet } from "./entries.ts";

type Person = { id: number; name: string };
type Incomplete = Person & { remaining_time: number };
type Sheet = MonthSheet & { person: Person };

/** The people of the own organization, for those who may see their timesheets; else those who are incomplete. */
function useTeam(day: string, days: readonly string[]) {
  const { account, api } = useCurrentAccount();
  return useQuery({
    queryKey: [account.id, "team timesheets", days[0]],
    queryFn: async () => {
      const [me, incomplete] = await Promise.all([
        api.get<{ organization: { id: number } | null }>("/me"),
        api.get<Incomplete[]>("/timesheets/incomplete", { week_of: day }),
      ]);
      const loadSheets = async (month: string): Promise<Sheet[]> => {
        if (me.organization === null) return [];
        try {
          return await api.get<Sheet[]>("/timesheets", {
            organization_id: String(me.organization.id),
            month_of: `${month}-01`,
          });
        } catch (error) {
          // Only its manager and administrators see everybody of an organization.
          if (error instanceof ApiError && error.status === 403) return [];
          throw error;
        }
      };
      const months = [...new Set(days.map((each) => each.slice(0, 7)))];
      const sheets = await Promise.all(months.map(loadSheets));
      const people = new Map<number, Person>();
      for (const { person } of sheets.flat()) people.set(person.id, person);
      for (const { id, name } of incomplete) people.set(id, { id, name });
      return [...people.values()]
        .sort((one, other) => one.name.localeCompare(other.name))
        .map(({ id, name }) => {
          const own = new Map(months.map((month, at) => [month, sheets[at]?.find(({ person }) => person.id === id)]));
          const known = days.map((each) => own.get(each.slice(0, 7))?.locked_days.charAt(Number(each.slice(8)) - 1));
          return {
            id,
            name,
            missing: incomplete.find((each) => each.id === id)?.remaining_time ?? 0,
            isLocked: known.every((each) => each === undefined) ? null : known.every((each) => each === "1"),
          };
        });
    },
  });
}

/** Who has registered their week, and the locks that accept it. */
export function TeamView({ day, days }: { day: string; days: readonly string[] }) {
  const { account, api, who } = useCurrentAccount();
  const queries = useQueryClient();
  const { data, error, refetch } = useTeam(day, days);
  if (error !== null) return <ErrorPanel error={error} retry={() => void refetch()} />;
  if (data === undefined) return <SkeletonRows rows={6} />;
  const others = data.filter(({ id }) => id !== who.person.id);
  if (others.length === 0)
    return <EmptyState title={t("time.noTeam")} lead={t("time.noTeamLead")} icon={IconUsers} level={2} />;
  const setLock = async (person: number, isLocked: boolean) => {
    try {
      const subject = { person_id: String(person), week_of: day };
      if (isLocked) await api.act("/timesheets/lock", subject);
      else await api.remove(`/timesheets/lock?${new URLSearchParams(subject)}`);
    } catch (failure) {
      showError(failure);
    }
    await queries.invalidateQueries({ queryKey: [account.id, "team timesheets"] });
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
