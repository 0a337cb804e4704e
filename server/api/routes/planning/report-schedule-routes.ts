import { NotFound } from "../../../base/errors.ts";
import { createSchedule, endSchedule, listSchedules } from "../../../notifications/reports/schedules.ts";
import { created, noContent, ok, type Route } from "../../http/route.ts";

/** Reports that are sent by e-mail. */
export const reportScheduleRoutes = (): Route[] => {
  const scope = (action: "Create" | "Read" | "Delete") => ({ type: "report-schedule", action });
  return [
    {
      method: "GET",
      path: "/report_schedules",
      scope: scope("Read"),
      handle: async ({ engine, caller }) => ok(JSON.stringify(await listSchedules(engine, caller))),
    },
    {
      method: "POST",
      path: "/report_schedules",
      scope: scope("Create"),
      handle: async ({ engine, caller, body }) =>
        created(JSON.stringify(await createSchedule(engine, caller, (await body()).members))),
    },
    {
      method: "DELETE",
      path: "/report_schedules/:id",
      scope: scope("Delete"),
      async handle({ engine, caller, params }) {
        if (!/^[1-9]\d{0,8}$/.test(params.id ?? "")) throw new NotFound();
        await endSchedule(engine, caller, Number(params.id));
        return noContent;
      },
    },
  ];
};
