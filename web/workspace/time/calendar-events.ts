import { useQueries, useQuery } from "@tanstack/react-query";
import { useCurrentAccount } from "../../api/current-account.ts";
import { calendarQueries } from "../../queries/calendars.ts";
import { useOwnTeams } from "../../queries/own-teams.ts";
import type { Absence } from "./calendar-event.ts";
import { listSources } from "./calendar-sources.ts";

/** Events between the first and the last of some days; if a source can't be loaded, the others are shown. */
export function useCalendarEvents(first: string, last: string, nameAbsence: (absence: Absence) => string) {
  const { api, who } = useCurrentAccount();
  const ownWorkspaces = useOwnWorkspaces();
  const period = { api, first, last, reader: who.person.id, nameAbsence };
  return useQueries({
    queries: listSources(period, ownWorkspaces),
    combine: (results) => ({
      isLoaded: results.every(({ data, error }) => data !== undefined || error !== null),
      events: results
        .flatMap(({ data }) => data ?? [])
        .sort((one, other) => (one.begin ?? one.from).localeCompare(other.begin ?? other.from)),
    }),
  });
}

/** The scrum workspaces of the reader's teams. */
function useOwnWorkspaces(): ReadonlySet<number> {
  const { api } = useCurrentAccount();
  const teams = new Set(useOwnTeams(true).map(({ id }) => id));
  const { data = [] } = useQuery(calendarQueries.workspaces(api));
  return new Set(data.filter(({ team }) => teams.has(team.id)).map(({ id }) => id));
}
