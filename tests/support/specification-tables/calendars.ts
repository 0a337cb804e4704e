import type { Tables } from "./notation.ts";

export const calendars: Tables = {
  calendar: {
    collection: "calendars",
    fields: `
      id integer RO
      source string(30) Opt
      sourceID string(128) Opt
      name string(80) Req
      disabled boolean Opt =false
      calendar_hours aggregated(calendar_hour) RO
      created_at,updated_at datetime RO`,
    shown: "id source sourceID name calendar_hours created_at updated_at",
    filter: "id sourceID name disabled created_at updated_at",
    folded: "sourceID name",
    sort: "id sourceID name created_at updated_at",
    order: "name",
    views: "disabled enabled",
    below: "calendar_hours/owned holidays/link service_offerings/list teams/list",
  },
  calendar_hour: {
    fields: `
      id integer RO
      weekday enum Req
      time_from time_of_day Req
      time_until time_of_day Req`,
  },
  holiday: {
    collection: "holidays",
    fields: `
      id integer RO
      source string(30) Opt
      sourceID string(128) Opt
      name string(80) Req
      start_at local_datetime Req
      end_at local_datetime Req
      picture_uri string Opt
      created_at,updated_at datetime RO`,
    shown: "id source sourceID name picture_uri start_at end_at created_at updated_at",
    filter: "id sourceID name start_at end_at created_at updated_at",
    folded: "sourceID name",
    sort: "id sourceID name created_at updated_at",
    order: "name",
    below: "calendars/link",
  },
};
