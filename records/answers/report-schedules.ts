import { dashboards, reports } from "../figures/dashboards.ts";
import {
  answer,
  datetime,
  integer,
  list,
  named,
  noted,
  object,
  operations,
  optional,
  orNull,
  string,
  word,
} from "../vocabulary/index.ts";

// Reports that are sent by email.

const reportNames = [
  ...Object.keys(dashboards).map((key) => `\`dashboards/${key}\``),
  ...Object.keys(reports).map((key) => `\`reports/${key}\``),
];
const report = noted(
  `One of ${reportNames.join(", ")}, or \`dashboards/\` followed by the key of a dashboard that the caller created or that is shared with them.`,
  string(220),
);
export const reportFrequency = word("daily", "weekly", "monthly");

export const reportSchedule = answer("ReportSchedule", {
  id: integer(),
  report,
  title: noted("The name of the dashboard.", orNull(string())),
  frequency: reportFrequency,
  team: orNull(named),
  person: named,
  recipients: list(named),
  next_at: datetime,
  last_sent_at: orNull(datetime),
});

const example = {
  id: 4,
  report: "dashboards/service-desk",
  title: null,
  frequency: "weekly",
  team: null,
  person: { id: 9, name: "Mia Manager" },
  recipients: [{ id: 9, name: "Mia Manager" }],
  next_at: "2026-11-23T06:00:00Z",
  last_sent_at: null,
};

export const reportScheduleOperations = operations({
  "GET /report_schedules": {
    id: "listReportSchedules",
    summary: "List the caller's scheduled reports",
    answer: list(reportSchedule),
    answers: "A list of schedules, newest first.",
    example: [example],
  },
  "POST /report_schedules": {
    id: "createReportSchedule",
    summary: "Schedule a report by email",
    description:
      "Reports are sent at 7:00 in the caller's time zone: every day, on Mondays, or on the first day of the month. Each recipient's report covers only the records they can read.",
    body: object({
      report,
      frequency: reportFrequency,
      team_id: noted("Limits the report to this team.", optional(orNull(integer()))),
      recipient_ids: noted(
        "The recipients, who must have a role in the account; default: the caller.",
        optional(list(integer(), 20)),
      ),
    }),
    bodyExample: { report: "dashboards/service-desk", frequency: "weekly" },
    status: 201,
    answer: reportSchedule,
    answers: "The schedule.",
    example,
  },
  "DELETE /report_schedules/:id": {
    id: "deleteReportSchedule",
    summary: "End a scheduled report",
    description: "The creator deletes the schedule for everyone; a recipient only removes themselves.",
    answer: null,
  },
});
