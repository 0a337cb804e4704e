import { inDays, type Table } from "./table.ts";

// biome-ignore format: a table keeps its columns
export const teams: Table = {
  type: "team",
  in: "quillhaven-it",
  created: inDays(-560),
  later: ["coordinator"], // has to be a member first
  rows: {
    desk:           { name: "Service Desk",            manager: "bram",    coordinator: "luca",   members: ["bram", "luca", "maeve", "priya", "hiro"], inbound_email_local_part: "desk", work_hours: "desk-hours", time_zone: "Amsterdam", auto_assign: true, configuration_manager: "diego", remarks: "Follow-the-sun support from Kobe, Bengaluru, Eindhoven and London." },
    networks:       { name: "Networks",                manager: "gareth",  coordinator: "soren",  members: ["amara", "soren", "dana"],              inbound_email_local_part: "networks", work_hours: "europe-hours", time_zone: "Amsterdam", configuration_manager: "diego" },
    "end-user":     { name: "End User Computing",      manager: "gareth",  coordinator: "felix",  members: ["felix", "dana", "luca"],               work_hours: "europe-hours", time_zone: "Amsterdam", configuration_manager: "diego" },
    identity:       { name: "Identity and Access",     manager: "gareth",  coordinator: "noor",   members: ["noor", "soren", "felix"],              work_hours: "europe-hours", time_zone: "London" },
    infrastructure: { name: "Servers and Databases",   manager: "gareth",  coordinator: "wei",    members: ["wei", "gareth", "felix"],              agile_board: "infrastructure", work_hours: "asia-hours", time_zone: "Chennai", configuration_manager: "diego" },
    applications:   { name: "Business Applications",   manager: "elsie",   coordinator: "ruben",  members: ["ruben", "elsie", "wei"],               work_hours: "europe-hours", time_zone: "Amsterdam" },
    portal:         { name: "Portal Development",      manager: "elsie",   coordinator: "marek",  members: ["marek", "anika", "jonas", "sunniva"],  work_hours: "europe-hours", time_zone: "Amsterdam", remarks: "Works in two-week sprints." },
    security:       { name: "Information Security",    manager: "tobias",  coordinator: "hanna",  members: ["hanna", "noor", "amara", "ines"],      work_hours: "europe-hours", time_zone: "Amsterdam" },

    "front-desk":   { in: "quillhaven-fm", name: "Front Desk",        manager: "willem", coordinator: "greta", members: ["greta", "polly", "maeve", "lotte", "arjun"], inbound_email_local_part: "frontdesk", work_hours: "fm-hours", time_zone: "Amsterdam" },
    buildings:      { in: "quillhaven-fm", name: "Buildings and Moves", manager: "willem", coordinator: "samir", members: ["samir", "kofi", "carl", "arjun"], agile_board: "works", work_hours: "fm-hours", time_zone: "Amsterdam" },

    "cloud":        { in: "nimbrook", name: "Cloud Operations", manager: "petra", coordinator: "joao",  members: ["joao", "ewa", "tomas"], work_hours: "nimbrook-hours", time_zone: "Warsaw" },
    "centre":       { in: "nimbrook", name: "Service Centre",   manager: "petra", coordinator: "catia", members: ["catia", "olek"],        inbound_email_local_part: "centre", work_hours: "nimbrook-always", time_zone: "Lisbon" },
  },
};
