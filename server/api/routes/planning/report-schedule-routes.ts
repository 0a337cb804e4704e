import { reportScheduleOperations } from "../../../../records/answers/report-schedules.ts";
import { NotFound } from "../../../base/errors.ts";
import { createSchedule, endSchedule, listSchedules } from "../../../notifications/reports/schedules.ts";
import { created, noContent, ok, type Route } from "../../http/route.ts";
import { serve } from "../../operations/serve.ts";

/** Reports that are sent by email. */
export const reportScheduleRoutes = (): Route[] => {
  const scope = (action: "Create" | "Read" | "Delete") => ({ type: "report-schedule", action });
  return serve(reportScheduleOperations, {
    "GET /report_schedules": {
      scope: scope("Read"),
      handle: async ({ engine, caller }) => ok(await listSchedules(engine, caller)),
    },
    "POST /report_schedules": {
      scope: scope("Create"),
      handle: async ({ engine, caller, body }) => created(await createSchedule(engine, caller, (await body()).members)),
    },
    "DELETE /report_schedules/:id": {
      scope: scope("Delete"),
      async handle({ engine, caller, params }) {
        if (!/^[1-9]\d{0,8}$/.test(params.id ?? "")) throw new NotFound();
        await endSchedule(engine, caller, Number(params.id));
        return noContent;
      },
    },
  });
};
