import type { Client } from "../world.ts";

// Creates services with their offerings and SLAs, including prerequisites, over HTTP; `members` are a story's own values.

type Members = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: a body is whatever the server sent; tests look at single members
type Made = any;

/** "mon-fri 08:30-17:00" */
export type Hours = readonly string[];
const week = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const rows = (hours: Hours) =>
  hours.flatMap((text) => {
    const [days, times] = text.split(" ") as [string, string];
    const [first, last = first] = days.split("-") as [string, string?];
    const [time_from, time_until] = times.split("-");
    return week
      .slice(week.indexOf(first), week.indexOf(last) + 1)
      .map((weekday) => ({ weekday, time_from, time_until }));
  });

// biome-ignore format: a table keeps its columns
export const calendarHours = {
  OFFICE: ["mon-fri 08:30-17:00"],
  SPLIT:  ["mon-fri 08:00-12:00", "mon-fri 13:00-17:00"],
  ALL:    ["mon-sun 00:00-24:00"],
  EXT:    ["mon-sat 06:00-22:00"],
  NIGHT:  ["sun 00:00-06:00", "sun 22:00-24:00", "mon-fri 00:00-06:00", "mon-thu 22:00-24:00"],
  INDIA:  ["mon-fri 09:30-18:30"],
  SVC:    ["mon-sat 00:00-24:00", "sun 00:00-05:00", "sun 12:00-24:00"],
} satisfies Record<string, Hours>;

export function serviceAgreements(by: Client) {
  let names = 0;
  const make = async (path: string, members: Members): Promise<Made> => {
    const { status, body, text } = await by.post(path, members);
    if (status !== 201) throw new Error(`${path}: ${status} ${text}`);
    return body;
  };
  const cache = new Map<string, Promise<Made>>();
  const kinds = {
    make,
    async calendar(hours: Hours, holidays: readonly [string, string][] = []) {
      const calendar = await make("/calendars", { name: `Calendar ${++names}` });
      for (const row of rows(hours)) await make(`/calendars/${calendar.id}/calendar_hours`, row);
      for (const [start_at, end_at] of holidays) {
        const holiday = await make("/holidays", { name: `Holiday ${++names}`, start_at, end_at });
        await by.post(`/calendars/${calendar.id}/holidays/${holiday.id}`);
      }
      return calendar;
    },
    /** one of the calendars above, created when first used */
    named(name: keyof typeof calendarHours): Promise<Made> {
      const made = cache.get(name) ?? kinds.calendar(calendarHours[name]);
      cache.set(name, made);
      return made;
    },
    /** An SLA of a service for individual people, with its service instance. */
    async coverPerson(service: { id: number }, person: number): Promise<{ instance: Made }> {
      const instance = await kinds.instance({ service_id: service.id });
      const offering = await make("/service_offerings", { name: "Offering", service_id: service.id });
      const sla = await make("/slas", {
        ...{ name: "SLA", service_offering_id: offering.id, service_instance_id: instance.id },
        ...{ customer_id: 1, customer_account_id: "widget", customer_representative_ids: [person] },
        ...{ coverage: "people", status: "active" },
      });
      await by.post(`/slas/${sla.id}/people/${person}`);
      return { instance };
    },
    service: (members: Members = {}) => make("/services", { name: `Service ${++names}`, provider_id: 1, ...members }),
    instance: (members: Members = {}) =>
      make("/service_instances", {
        name: `Instance ${++names}`,
        service_id: 1,
        first_line_team_id: 1,
        support_team_id: 1,
        ...members,
      }),
    offering: (members: Members = {}) =>
      make("/service_offerings", { name: `Offering ${++names}`, service_id: 1, time_zone: "Amsterdam", ...members }),
    sla: (members: Members) =>
      make("/slas", {
        name: `SLA ${++names}`,
        customer_id: 1,
        status: "active",
        start_date: "2020-01-01",
        customer_representative_ids: [5],
        ...members,
      }),
    /** Creates an instance, an offering and an SLA that covers these people. */
    async agreed(offered: Members = {}, members: Members = {}, people: readonly number[] = [5]) {
      const instance = await kinds.instance();
      const offering = await kinds.offering(offered);
      const sla = await kinds.sla({
        service_instance_id: instance.id,
        service_offering_id: offering.id,
        coverage: "people",
        ...members,
      });
      if (sla.coverage === "people") for (const person of people) await by.post(`/slas/${sla.id}/people/${person}`);
      return { instance, offering, sla };
    },
    async request(instance: { id: number } | null, members: Members = {}) {
      const body = await make("/requests", {
        subject: "It is broken",
        category: "incident",
        impact: "low",
        requested_for_id: 5,
        ...(instance === null ? {} : { service_instance_id: instance.id }),
        ...members,
      });
      return body;
    },
    async affected(request: { id: number }): Promise<Made[]> {
      return (await by.get(`/requests/${request.id}/affected_slas?sort=id&per_page=100`)).body;
    },
  };
  return kinds;
}
