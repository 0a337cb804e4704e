import { inDays, type Row, type Table } from "./table.ts";

// biome-ignore format: a table keeps its columns
const projectCategories: Table = {
  type: "project_category",
  in: "quillhaven-it",
  created: inDays(-520),
  rows: {
    infrastructure: { name: "Infrastructure",   position: 1, description: "Servers, networks and data centers" },
    application:    { name: "Application",      position: 2, description: "New software and major upgrades" },
    compliance:     { name: "Compliance",       position: 3, description: "Legal and audit requirements", information: "Start early. The deadlines are set by others." },
    experiment:     { name: "Experiment",       position: 4, description: "Proofs of concept that may fail" },
    "year-2000":    { name: "Year 2000",        position: 9, disabled: true },
    building:       { in: "quillhaven-fm", name: "Building",    position: 1, description: "Construction and renovation" },
    relocation:     { in: "quillhaven-fm", name: "Relocation",  position: 2, description: "Team and office moves" },
  },
};

// biome-ignore format: a table keeps its columns
const riskSeverities: Table = {
  type: "risk_severity",
  in: "quillhaven-it",
  created: inDays(-520),
  rows: {
    low:       { name: "Low",       position: 1, description: "Minor inconvenience" },
    medium:    { name: "Medium",    position: 2, description: "A service would be degraded" },
    high:      { name: "High",      position: 3, description: "A business unit couldn't work" },
    "very-high": { name: "Very high", position: 4, description: "The company would make the news" },
    "fm-low":  { in: "quillhaven-fm", name: "Low",  position: 1 },
    "fm-high": { in: "quillhaven-fm", name: "High", position: 2 },
  },
};

// biome-ignore format: a table keeps its columns
const slaNotificationSchemes: Table = {
  type: "sla_notification_scheme",
  in: "quillhaven-it",
  created: inDays(-515),
  rows: {
    standard: { name: "Office Hours" },
    critical: { name: "Business Critical" },
    quiet:    { name: "No Notifications" },
    workshop: { in: "quillhaven-fm", name: "Workplace" },
    watch:    { in: "nimbrook", name: "24/7" },
  },
};

/** reminders, each after a number of business days */
const after = (...days: number[]): Row[] =>
  days.map((nr_of_business_days) => ({ as: `${nr_of_business_days}`, nr_of_business_days }));

// biome-ignore format: a table keeps its columns
const followUps: Table = {
  type: "waiting_for_customer_follow_up",
  in: "quillhaven-it",
  created: inDays(-515),
  rows: {
    gentle: { name: "Remind twice, then complete", auto_complete: true, waiting_for_customer_rules: after(3, 7) },
    remind: { name: "Remind only", waiting_for_customer_rules: after(5) },
    "fm-gentle": { in: "quillhaven-fm", name: "Remind, then complete", auto_complete: true, waiting_for_customer_rules: after(5, 10) },
  },
};

// biome-ignore format: a table keeps its columns
const knowledgeArticleTemplates: Table = {
  type: "knowledge_article_template",
  in: "quillhaven-it",
  created: inDays(-510),
  rows: {
    "how-to":      { subject: "How to ..." },
    "known-error": { subject: "Known error: ..." },
    "new-laptop":  { subject: "First steps with your new laptop", service: "computer" },
    password:      { subject: "Change your password",             service: "access" },
    vpn:           { subject: "Work remotely with VPN",              service: "network" },
    room:          { in: "quillhaven-fm", subject: "Meeting room equipment", service: "rooms" },
    visitor:       { in: "quillhaven-fm", subject: "Host a visitor",           service: "badges" },
    runbook:       { in: "nimbrook", subject: "Runbook: ...",                     service: "hosting" },
  },
};

export const settings: readonly Table[] = [
  projectCategories,
  riskSeverities,
  slaNotificationSchemes,
  followUps,
  knowledgeArticleTemplates,
];
