import type { Tables } from "./notation.ts";

export const account: Tables = {
  account: {
    collection: "accounts",
    fields: `
      id string RO
      name string(128) Req
      url string(50) RO
      organization ref(organization) RO
      owner ref(person) Req
      directory_account ref(account) RO
      plan enum Req
      currency currency Req
      locale language Req
      time_zone time_zone Req
      time_format_24h boolean Opt =true
      start_of_week enum Opt
      strong_privacy boolean Opt =false`,
  },
  closure_code: {
    collection: "closure_codes",
    fields: `
      id integer RO
      source string(30) Opt
      sourceID string(128) Opt
      name string(128) Req
      description string(255) Opt
      information text Opt
      position integer Opt
      reference string(128) RO
      disabled boolean Opt =false
      attachments attachments RO
      information_attachments attachments WO
      created_at,updated_at datetime RO`,
    shown: "id sourceID reference name description position created_at updated_at",
    filter: "id source sourceID disabled reference name created_at updated_at",
    folded: "source sourceID reference name",
    sort: "id sourceID reference position name created_at updated_at",
    order: "position",
  },
  audit_line: {
    collection: "audit_lines",
    fields: `
      id integer RO
      action enum RO
      audited enum RO
      record subject RO
      created_by ref(person) RO
      user ref(person) RO
      changes hash RO
      created_at datetime RO`,
    shown: "action record audited created_at created_by id",
    filter: "id created_at",
    sort: "id",
    order: "-id",
  },
  archive_entry: {
    collection: "archive",
    further: `
      id integer RO
      archived string(80) RO
      archived_by ref(person) RO
      created_at datetime RO
      record subject RO`,
    shown: "*",
    filter: "id created_at",
    sort: "id created_at",
    order: "-created_at",
  },
  trash_entry: {
    collection: "trash",
    further: `
      id integer RO
      trashed string(80) RO
      trashed_by ref(person) RO
      created_at datetime RO
      record subject RO`,
    shown: "*",
    filter: "id created_at",
    sort: "id created_at",
    order: "-created_at",
  },
};
