import { inDays, type Table } from "./table.ts";

// biome-ignore format: a table keeps its columns
const effortClasses: Table = {
  type: "effort_class",
  in: "quillhaven-it",
  created: inDays(-530),
  rows: {
    regular:  { name: "Regular hours",  position: 1 },
    overtime: { name: "Overtime",       position: 2, cost_multiplier: "1.5" },
    standby:  { name: "Standby",        position: 3, cost_multiplier: "0.25" },
    travel:   { name: "Travel",         position: 4, cost_multiplier: "0.5" },
    "fm-regular":  { in: "quillhaven-fm", name: "Regular hours", position: 1 },
    "fm-overtime": { in: "quillhaven-fm", name: "Overtime",      position: 2, cost_multiplier: "1.5" },
    "nb-regular":  { in: "nimbrook", name: "Day shift",          position: 1 },
    "nb-night":    { in: "nimbrook", name: "Night shift",        position: 2, cost_multiplier: "1.4" },
  },
};

// biome-ignore format: a table keeps its columns
const skillPools: Table = {
  type: "skill_pool",
  in: "quillhaven-it",
  created: inDays(-529),
  rows: {
    "network-engineers":  { name: "Network Engineers",     manager: "amara",  members: ["amara", "soren", "dana"],           effort_classes: ["regular", "overtime", "standby"], cost_per_hour: "78.00", cost_per_hour_currency: "eur" },
    "database-people":    { name: "Database Administrators", manager: "wei",  members: ["wei", "felix"],                     effort_classes: ["regular", "overtime"],            cost_per_hour: "58.00", cost_per_hour_currency: "eur" },
    "software-engineers": { name: "Software Engineers",    manager: "elsie",  members: ["marek", "anika", "jonas"],          effort_classes: ["regular"],                        cost_per_hour: "70.00", cost_per_hour_currency: "eur" },
    "desk-people":        { name: "Service Desk Analysts", manager: "bram",   members: ["luca", "maeve", "priya", "hiro"],   effort_classes: ["regular", "overtime"],            cost_per_hour: "44.00", cost_per_hour_currency: "eur" },
    "first-aiders":       { in: "quillhaven-fm", name: "First Aiders", manager: "greta", members: ["greta", "samir", "juno", "oscar"], remarks: "Certified first aiders at all sites." },
    "technicians":        { in: "quillhaven-fm", name: "Building Technicians", manager: "samir", members: ["samir", "carl", "kofi"], effort_classes: ["fm-regular", "fm-overtime"], cost_per_hour: "52.00", cost_per_hour_currency: "eur" },
  },
};

// biome-ignore format: a table keeps its columns
const timeAllocations: Table = {
  type: "time_allocation",
  in: "quillhaven-it",
  created: inDays(-528),
  rows: {
    meeting:   { name: "Team meeting",       group: "Internal", description_category: "optional", effort_class: "regular", organizations: ["it", "it-operations", "applications"] },
    training:  { name: "Training",           group: "Internal", description_category: "required", effort_class: "regular", organizations: ["it", "it-operations", "applications"] },
    leave:     { name: "Leave",              group: "Absence",  description_category: "optional", organizations: ["it", "it-operations", "applications"] },
    illness:   { name: "Sick leave",            group: "Absence",  organizations: ["it", "it-operations", "applications"] },
    advice:    { name: "Business consulting", group: "Customers", customer_category: "any", service_category: "any", description_category: "required", organizations: ["it-operations", "applications"] },
    "fm-leave":   { in: "quillhaven-fm", name: "Leave",  group: "Absence", description_category: "optional", organizations: ["workplace"] },
    "fm-rounds":  { in: "quillhaven-fm", name: "Building rounds", group: "Internal", organizations: ["workplace"] },
  },
};

// biome-ignore format: a table keeps its columns
const timesheetSettings: Table = {
  type: "timesheet_setting",
  in: "quillhaven-it",
  created: inDays(-527),
  rows: {
    it:   { name: "IT, 5-minute increments", unit: "hours_and_minutes", time_increment: 5, workday: 480, workweek: 2400, notify_on_incomplete: false, request_effort_class: "regular", problem_effort_class: "regular", task_effort_class: "regular", project_task_effort_class: "regular", organizations: ["it", "it-operations", "applications"], effort_classes: ["regular", "overtime", "standby", "travel"] },
    fm:   { in: "quillhaven-fm", name: "Workplace, 15-minute increments", unit: "hours_and_minutes", time_increment: 15, request_effort_class: "fm-regular", organizations: ["workplace"], effort_classes: ["fm-regular", "fm-overtime"] },
  },
};

// biome-ignore format: a table keeps its columns
const outOfOffice: Table = {
  type: "out_of_office_period",
  in: "quillhaven-it",
  created: inDays(-40),
  rows: {
    "felix-skiing":  { person: "felix", by: "felix", start_at: inDays(-33, 7),  end_at: inDays(-26, 17), reason: "Skiing",  approval_delegate: "dana", time_allocation: "leave" },
    "maeve-wedding": { person: "maeve", by: "maeve", start_at: inDays(-3, 7),   end_at: inDays(6, 17),   reason: "Wedding and honeymoon", approval_delegate: "bram", time_allocation: "leave" },
    "wei-holiday":   { person: "wei",   by: "wei",   start_at: inDays(12, 3),   end_at: inDays(26, 12),  reason: "Vacation", approval_delegate: "gareth", time_allocation: "leave" },
    "amara-course":  { person: "amara", by: "amara", start_at: inDays(-1, 7),   end_at: inDays(2, 16),   reason: "Routing course", time_allocation: "training" },
    "elsie-leave":   { person: "elsie", by: "elsie", start_at: inDays(20, 7),   end_at: inDays(31, 17),  approval_delegate: "ruben", time_allocation: "leave" },
    "otto-summer":   { person: "otto",  by: "otto",  start_at: inDays(40, 7),   end_at: inDays(61, 17),  approval_delegate: "gareth", time_allocation: "leave" },
    "kofi-leave":    { in: "quillhaven-fm", person: "kofi", by: "kofi", start_at: inDays(4, 7), end_at: inDays(8, 16), time_allocation: "fm-leave" },
  },
};

export const timeTables: readonly Table[] = [effortClasses, skillPools, timeAllocations, timesheetSettings];
/** After the links between allocations and organizations: periods without an allocation are refused. */
export const absences: readonly Table[] = [outOfOffice];
