import { type Actor, addMinutes, type Fields, type Timeline } from "./timeline.ts";

// The events in the sprints of the portal team.

export const account = "quillhaven-it";
/** Numbers of sprints: the team has worked in sprints for more than a year. */
export const currentSprint = 31;

const statuses: Readonly<Record<string, string>> = {
  "To Do": "assigned",
  "In Progress": "in_progress",
  Review: "in_progress",
  Done: "completed",
};
/** The items planned in it go to the board. */
export const startSprint = (time: Timeline, at: Date, sprint: number): Promise<void> =>
  time.update({ who: "sunniva", at, account }, "sprint", sprint, {
    start_at: at.toISOString(),
    end_at: addMinutes(at, 14 * 1440).toISOString(),
  });

export const moveItem = (
  time: Timeline,
  { who, at }: Omit<Actor, "account">,
  id: number,
  column: string,
  fields: Fields,
): Promise<void> =>
  time.update({ who, at, account }, "request", id, {
    agile_board: time.getId("agile_board", "portal"),
    agile_board_column: time.getId("agile_board_column", `portal/${column}`),
    status: statuses[column],
    ...fields,
  });
