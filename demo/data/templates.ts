import { inDays, type Row, type Table } from "./table.ts";

// Templates of requests, tasks and workflows, and the order of their tasks.

// biome-ignore format: a table keeps its columns
const closureCodes: Table = {
  type: "closure_code",
  in: "quillhaven-it",
  created: inDays(-525),
  rows: {
    explained:  { name: "Explained",          position: 1, description: "Worked as designed; explained to the requester" },
    repaired:   { name: "Repaired",           position: 2, description: "Something was broken and has been fixed" },
    replaced:   { name: "Replaced",           position: 3, description: "Swapped for a new one" },
    configured: { name: "Configuration changed", position: 4 },
    restarted:  { name: "Restarted",          position: 5, description: "Turned off and on again" },
    supplier:   { name: "Solved by supplier", position: 6 },
    "fm-repaired": { in: "quillhaven-fm", name: "Repaired", position: 1 },
    "fm-arranged": { in: "quillhaven-fm", name: "Arranged", position: 2 },
  },
};

// biome-ignore format: a table keeps its columns
const rfcTypes: Table = {
  type: "rfc_type",
  in: "quillhaven-it",
  created: inDays(-525),
  rows: {
    standard:  { name: "Standard request",   position: 1, information: "Fixed price, based on a template." },
    access:    { name: "Access",             position: 2 },
    custom:    { name: "Custom work",        position: 3, information: "Needs an estimate first." },
    "fm-move": { in: "quillhaven-fm", name: "Move", position: 1 },
  },
};

// biome-ignore format: a table keeps its columns
const workflowTypes: Table = {
  type: "workflow_type",
  in: "quillhaven-it",
  created: inDays(-525),
  rows: {
    change:      { name: "Change",          position: 1, description: "Changes a service" },
    fulfillment: { name: "Fulfillment",     position: 2, description: "Delivers what was requested" },
    onboarding:  { name: "Onboarding",      position: 3, description: "Someone joins, moves or leaves" },
    emergency:   { name: "Emergency",       position: 4, description: "Can't wait for the maintenance window" },
    "fm-works":  { in: "quillhaven-fm", name: "Works", position: 1 },
    "fm-move":   { in: "quillhaven-fm", name: "Move",  position: 2 },
    "nb-change": { in: "nimbrook", name: "Change",     position: 1 },
  },
};

// biome-ignore format: a table keeps its columns
const riskLevels: Table = {
  type: "project_risk_level",
  in: "quillhaven-it",
  created: inDays(-520),
  rows: {
    low:        { name: "Low",    position: 1, description: "Done before" },
    medium:     { name: "Medium", position: 2, description: "Done before, elsewhere" },
    high:       { name: "High",   position: 3, description: "Never done before" },
    "fm-low":   { in: "quillhaven-fm", name: "Low",  position: 1 },
    "fm-high":  { in: "quillhaven-fm", name: "High", position: 2 },
  },
};

const uiExtensions: Table = {
  type: "ui_extension",
  in: "quillhaven-it",
  created: inDays(-300),
  by: "nadia",
  rows: {
    newcomer: {
      name: "Newcomer",
      category: "request_template",
      title: "About the new employee",
      description: "What we need to know before the first day.",
      html: [
        '<div class="row"><label for="first_day">First day</label><input type="date" id="first_day" name="first_day" required></div>',
        '<div class="row"><label for="workplace">Workplace</label>',
        '<select id="workplace" name="workplace"><option value="standard">Standard</option><option value="laboratory">Laboratory</option><option value="home">Home office</option></select></div>',
        '<div class="row"><label for="remarks">Anything else</label><textarea id="remarks" name="remarks"></textarea></div>',
      ].join("\n"),
      css: ".row { margin-bottom: 8px; }",
      activate: true,
    },
  },
};

const approval = { category: "approval" };
const assessment = { category: "risk_and_impact" };
const work = { category: "implementation" };
const fm = { in: "quillhaven-fm" };
const nb = { in: "nimbrook" };
const day = 480;

// biome-ignore format: a table keeps its columns
const taskTemplates: Table = {
  type: "task_template",
  in: "quillhaven-it",
  created: inDays(-470),
  rows: {
    assess:           { ...assessment, subject: "Assess risk and impact",              team: "infrastructure", member: "wei",   planned_duration: day,     planned_effort: 60,  impact: "none", instructions: "Which services could be affected? Who needs to be informed? What is the rollback plan?\n\n* Affected services listed\n* Rollback plan described" },
    "assess-network": { ...assessment, subject: "Assess risk and impact on the network", team: "networks",     member: "amara", planned_duration: day,     planned_effort: 60,  impact: "none" },
    "assess-app":     { ...assessment, subject: "Assess impact on users",              team: "applications",  member: "ruben", planned_duration: day,     planned_effort: 90,  impact: "none" },
    "approve-change": { ...approval,   subject: "Approve the change",                  team: "infrastructure", planned_duration: 2 * day, planned_effort: 15, assign_to_service_owner: true },
    "approve-manager":{ ...approval,   subject: "Approve as manager",                  team: "desk",           planned_duration: 2 * day, planned_effort: 5,  assign_to_requester_manager: true },
    "approve-security": { ...approval, subject: "Approve for information security",    team: "security",       planned_duration: 2 * day, planned_effort: 20, approvals: [{ as: "hanna", approver: "hanna", planned_effort: 20 }] },
    "approve-network": { ...approval,  subject: "Approve the network change",   team: "networks",       planned_duration: day,     planned_effort: 10, required_approvals: 2, approvals: [{ as: "hanna", approver: "hanna", planned_effort: 10 }, { as: "soren", approver: "soren", planned_effort: 10 }, { as: "maeve", approver: "maeve", planned_effort: 10 }],
                        instructions: "The switches are replaced overnight, so the floor has no network from 22:00 to 04:00. Make sure no long measurements are running.\n\n- [ ] The window doesn't overlap with month-end in Prisma\n- [ ] The lab has agreed\n- [ ] The front desk knows the badge readers are on battery" },
    "approve-lead":   { ...approval,   subject: "Approve the purchase",                team: "security",       planned_duration: day,     planned_effort: 10, approvals: [{ as: "ines", approver: "ines", planned_effort: 10 }] },
    "backup-first":   { ...work,       subject: "Back up the system",                       team: "infrastructure", member: "wei",   planned_duration: 240,    planned_effort: 30,  impact: "none" },
    "install-patch":  { ...work,       subject: "Install during the maintenance window",   team: "infrastructure",                  planned_duration: 3 * day, planned_effort: 180, impact: "high", service_instances: ["databases"], instructions: "Sunday night only. Notify the service desk before and after." },
    "change-network": { ...work,       subject: "Change the network configuration",    team: "networks",                        planned_duration: 3 * day, planned_effort: 120, impact: "medium", service_instances: ["network-europe"] },
    "deploy-app":     { ...work,       subject: "Deploy to production",                team: "applications",                    planned_duration: 2 * day, planned_effort: 120, impact: "medium", service_instances: ["erp"] },
    "deploy-portal":  { ...work,       subject: "Deploy the portal",                   team: "portal",                          planned_duration: day,     planned_effort: 60,  impact: "low" },
    "roll-back":      { ...work,       subject: "Roll back the change",               team: "infrastructure",                  planned_duration: 240,    planned_effort: 60,  impact: "high", urgent: true },
    verify:           { ...work,       subject: "Verify with users",   team: "desk",                            planned_duration: day,     planned_effort: 30,  impact: "none" },
    "prepare-laptop": { ...work,       subject: "Prepare a laptop",                    team: "end-user",                        planned_duration: 2 * day, planned_effort: 90,  impact: "none", instructions: "Install the image, turn on encryption, add a name label and charge it." },
    "create-account": { ...work,       subject: "Create accounts and a mailbox",       team: "identity",                        planned_duration: day,     planned_effort: 45,  impact: "none" },
    "close-account":  { ...work,       subject: "Close accounts, keep the mailbox for a month", team: "identity",               planned_duration: day,     planned_effort: 45,  impact: "none" },
    "collect-laptop": { ...work,       subject: "Collect laptop and mobile phone",     team: "end-user",                        planned_duration: 3 * day, planned_effort: 30,  impact: "none" },
    "welcome":        { ...work,       subject: "Hand over equipment and give a tour",          team: "desk",                            planned_duration: day,     planned_effort: 60,  impact: "none" },
    "order-goods":    { ...work,       subject: "Order from the supplier",               team: "end-user",                        planned_duration: 5 * day, planned_effort: 20,  impact: "none" },
    "restore-data":   { ...work,       subject: "Restore the data on a test system",   team: "infrastructure",                  planned_duration: 2 * day, planned_effort: 240, impact: "none" },
    "fm-survey":      { ...fm, ...assessment, subject: "Inspect on site",          team: "buildings",                       planned_duration: 2 * day, planned_effort: 60,  impact: "none" },
    "fm-approve":     { ...fm, ...approval,   subject: "Approve costs",            team: "buildings",                       planned_duration: 3 * day, planned_effort: 15, approvals: [{ as: "willem", approver: "willem", planned_effort: 15 }] },
    "fm-do":          { ...fm, ...work,       subject: "Do the work",                  team: "buildings",                       planned_duration: 5 * day, planned_effort: 480, impact: "low" },
    "fm-pack":        { ...fm, ...work,       subject: "Deliver crates and labels",    team: "buildings",                       planned_duration: 2 * day, planned_effort: 60,  impact: "none" },
    "fm-tidy":        { ...fm, ...work,       subject: "Clean up",                team: "front-desk",                      planned_duration: day,     planned_effort: 30,  impact: "none" },
    "nb-assess":      { ...nb, ...assessment, subject: "Check capacity and maintenance windows",   team: "cloud",  member: "joao",          planned_duration: day,     planned_effort: 30,  impact: "none" },
    "nb-do":          { ...nb, ...work,       subject: "Carry out on the cluster",     team: "cloud",                           planned_duration: day,     planned_effort: 120, impact: "medium" },
    "nb-watch":       { ...nb, ...work,       subject: "Monitor overnight",            team: "centre",                          planned_duration: day,     planned_effort: 60,  impact: "none" },
  },
};

/** The tasks of a template: [phase, task template, predecessors, task after a failure]. */
type Step = readonly [phase: string, template: string, after?: readonly string[], onFailure?: string];
const steps = (template: string, list: readonly Step[]): Row => ({
  phases: [...new Set(list.map(([phase]) => phase))].map((name) => ({ name })),
  task_template_relations: list.map(([phase_name, step, after = [], onFailure]) => ({
    as: step,
    task_template: step,
    phase_name,
    predecessor_ids: after.map((earlier) => `${template}/${earlier}`),
    failure_task_template: onFailure,
  })),
});

// biome-ignore format: a table keeps its columns
const workflowTemplates: Table = {
  type: "workflow_template",
  in: "quillhaven-it",
  created: inDays(-460),
  rows: {
    patch:      { subject: "Install patches on servers",       category: "standard",     justification: "maintenance", workflow_type: "change", service: "databases", workflow_manager: "otto",
                  ...steps("patch", [["Prepare", "assess"], ["Prepare", "backup-first", ["assess"]], ["Implement", "install-patch", ["backup-first"], "roll-back"], ["Implement", "roll-back"], ["Close", "verify", ["install-patch"]]]) },
    network:    { subject: "Change a site network",     category: "non_standard", justification: "improvement", workflow_type: "change", service: "network",   workflow_manager: "otto",
                  ...steps("network", [["Assess", "assess-network"], ["Approve", "approve-change", ["assess-network"]], ["Implement", "change-network", ["approve-change"]], ["Close", "verify", ["change-network"]]]) },
    "erp-release": { subject: "ERP release",                category: "non_standard", justification: "improvement", workflow_type: "change", service: "erp",       workflow_manager: "otto", note: "The release manager attaches the release notes.",
                  ...steps("erp-release", [["Assess", "assess-app"], ["Approve", "approve-change", ["assess-app"]], ["Approve", "approve-security", ["assess-app"]], ["Implement", "backup-first", ["approve-change", "approve-security"]], ["Implement", "deploy-app", ["backup-first"], "roll-back"], ["Implement", "roll-back"], ["Close", "verify", ["deploy-app"]]]) },
    "portal-release": { subject: "Customer Portal release", category: "standard", justification: "improvement", workflow_type: "change", service: "portal",    workflow_manager: "gareth",
                  ...steps("portal-release", [["Implement", "deploy-portal"], ["Close", "verify", ["deploy-portal"]]]) },
    joiner:     { subject: "Onboard an employee",        category: "standard",     justification: "expansion",   workflow_type: "onboarding", service: "access", workflow_manager: "otto", assign_relations_to_workflow_manager: true,
                  ...steps("joiner", [["Approve", "approve-manager"], ["Prepare", "create-account", ["approve-manager"]], ["Prepare", "prepare-laptop", ["approve-manager"]], ["First day", "welcome", ["create-account", "prepare-laptop"]]]) },
    leaver:     { subject: "Offboard an employee",       category: "standard",     justification: "removal",     workflow_type: "onboarding", service: "access", workflow_manager: "otto",
                  ...steps("leaver", [["Last day", "collect-laptop"], ["Last day", "close-account"]]) },
    hardware:   { subject: "Buy hardware",                     category: "standard",     justification: "purchase",    workflow_type: "fulfillment", service: "computer", workflow_manager: "otto",
                  ...steps("hardware", [["Approve", "approve-manager"], ["Order", "order-goods", ["approve-manager"]], ["Deliver", "prepare-laptop", ["order-goods"]]]) },
    switches:   { subject: "Replace switches",                 category: "standard",     justification: "maintenance", workflow_type: "change", service: "network",   workflow_manager: "otto",
                  ...steps("switches", [["Approve", "approve-network"], ["Implement", "change-network", ["approve-network"]], ["Close", "verify", ["change-network"]]]) },
    purchase:   { subject: "IT purchase",             category: "standard",     justification: "purchase",    workflow_type: "fulfillment", service: "computer", workflow_manager: "otto",
                  ...steps("purchase", [["Approve", "approve-lead"], ["Order", "order-goods", ["approve-lead"]]]) },
    restore:    { subject: "Restore test",              category: "standard",     justification: "compliance",  workflow_type: "change", service: "files",     workflow_manager: "gareth",
                  ...steps("restore", [["Test", "restore-data"], ["Report", "verify", ["restore-data"]]]) },
    emergency:  { subject: "Emergency change",                 category: "emergency",    justification: "correction",  workflow_type: "emergency", service: "network", workflow_manager: "gareth",
                  ...steps("emergency", [["Implement", "change-network", [], "roll-back"], ["Implement", "roll-back"], ["Close", "verify", ["change-network"]]]) },
    "fm-works": { ...fm, subject: "Building work",       category: "non_standard", justification: "maintenance", workflow_type: "works", service: "buildings", workflow_manager: "otto",
                  ...steps("fm-works", [["Survey", "fm-survey"], ["Approve", "fm-approve", ["fm-survey"]], ["Works", "fm-do", ["fm-approve"]], ["Close", "fm-tidy", ["fm-do"]]]) },
    "fm-move":  { ...fm, subject: "Move a team",            category: "standard",     justification: "move",        workflow_type: "move",  service: "moves",     workflow_manager: "otto",
                  ...steps("fm-move", [["Prepare", "fm-pack"], ["Move", "fm-do", ["fm-pack"]], ["Close", "fm-tidy", ["fm-do"]]]) },
    "nb-change":{ ...nb, subject: "Cluster change",     category: "standard",     justification: "maintenance", workflow_type: "change", service: "hosting", workflow_manager: "joao",
                  ...steps("nb-change", [["Check", "nb-assess"], ["Change", "nb-do", ["nb-assess"]], ["Watch", "nb-watch", ["nb-do"]]]) },
  },
};

const rfc = { category: "rfc" };
const incident = { category: "incident" };
const rfi = { category: "rfi" };

// biome-ignore format: a table keeps its columns
const requestTemplates: Table = {
  type: "request_template",
  in: "quillhaven-it",
  created: inDays(-450),
  rows: {
    newcomer:     { ...rfc, subject: "New employee",       service: "access",    action_type: "onboarding",   rfc_type: "standard_request", team: "identity", workflow_template: "joiner",   workflow_manager: "otto", ui_extension: "newcomer", keywords: "joiner, new employee", registration_hints: "Please include the name, first day, organization and site." },
    leaver:       { ...rfc, subject: "Employee leaving",           service: "access",    action_type: "offboarding",  rfc_type: "standard_request", team: "identity", workflow_template: "leaver",   workflow_manager: "otto", keywords: "leaver" },
    permission:   { ...rfc, subject: "Access to an application or folder", service: "access", action_type: "access",    rfc_type: "access", team: "identity", registration_hints: "Which application or folder, and until when?", desired_completion: 960, support_hours: "desk-hours", time_zone: "Amsterdam" },
    password:     { ...incident, subject: "I can't sign in",        service: "access",    action_type: "reset",        impact: "low", planned_effort: 10, instructions: "Call back the number in the directory, never the number in the email.", keywords: "password, locked" },
    laptop:       { ...rfc, subject: "New laptop",                     service: "computer",  action_type: "procurement",  rfc_type: "standard_request", team: "end-user", workflow_template: "hardware", workflow_manager: "otto", desired_completion: 4800, support_hours: "europe-hours", time_zone: "Amsterdam" },
    slow:         { ...incident, subject: "My computer is slow",     service: "computer",  action_type: "troubleshoot", impact: "low", registration_hints: "Since when, and in which app?", asset_selection: true },
    software:     { ...rfc, subject: "Install software",      service: "computer",  action_type: "installation", rfc_type: "standard_request", team: "end-user", asset_selection: true },
    accessory:    { ...rfc, subject: "Headset, keyboard or mouse",   service: "computer",  action_type: "procurement",  rfc_type: "standard_request", team: "end-user" },
    mailbox:      { ...rfc, subject: "Shared mailbox",             service: "mail",      action_type: "creation",     rfc_type: "standard_request", team: "infrastructure" },
    distribution: { ...rfc, subject: "Change a distribution list",   service: "mail",      action_type: "modification", rfc_type: "standard_request", team: "desk" },
    wireless:     { ...incident, subject: "Wi-Fi isn't working",  service: "network",   action_type: "troubleshoot", impact: "medium", registration_hints: "Which floor are you on, and does a wired connection work?" },
    vpn:          { ...incident, subject: "I can't work from home", service: "network",   action_type: "troubleshoot", impact: "low" },
    restore:      { ...rfc, subject: "Restore a file",               service: "files",     action_type: "restoration",  rfc_type: "standard_request", team: "infrastructure", registration_hints: "The file path and the last day it was correct." },
    report:       { ...rfi, subject: "ERP report",            service: "erp",       action_type: "reporting",    team: "applications" },
    phishing:     { ...incident, subject: "Report a suspicious message",    service: "security",  action_type: "compliance",   impact: "medium", team: "security", urgent: true },
    visitor:      { ...fm, ...rfc, subject: "Register a visitor",   service: "badges",    action_type: "scheduling",   team: "front-desk", registration_hints: "Name, company, date and host." },
    badge:        { ...fm, ...rfc, subject: "New badge",           service: "badges",    action_type: "replacement",  team: "front-desk" },
    lunch:        { ...fm, ...rfc, subject: "Lunch for a meeting",   service: "catering",  action_type: "scheduling",   team: "front-desk", registration_hints: "How many people, where and when, and any dietary requirements?" },
    repair:       { ...fm, ...incident, subject: "Something in the building is broken", service: "buildings", action_type: "troubleshoot", impact: "low" },
    move:         { ...fm, ...rfc, subject: "Move a desk",        service: "moves",     action_type: "relocation",   team: "buildings", rfc_type: "move" },
    room:         { ...fm, category: "reservation", subject: "Book a meeting room", service: "rooms", action_type: "scheduling", team: "front-desk" },
    alert:        { ...nb, ...incident, subject: "Alert from monitoring", service: "monitoring", impact: "medium", team: "centre" },
  },
};

// biome-ignore format: a table keeps its columns
const projectTaskTemplates: Table = {
  type: "project_task_template",
  in: "quillhaven-it",
  created: inDays(-440),
  rows: {
    charter:    { category: "activity",  subject: "Write the charter",            planned_duration: 5 * day,  planned_effort: 960,  assign_to_project_manager: true },
    "go-ahead": { category: "approval",  subject: "Approve the project",                     planned_duration: 5 * day,  planned_effort: 30,   assign_to_service_owner: true },
    design:     { category: "activity",  subject: "Design",                       planned_duration: 15 * day, planned_effort: 4800, team: "applications", skill_pool: "software-engineers" },
    build:      { category: "activity",  subject: "Build",                        planned_duration: 30 * day, planned_effort: 9600, team: "applications", skill_pool: "software-engineers" },
    migrate:    { category: "activity",  subject: "Migrate the data",             planned_duration: 10 * day, planned_effort: 2400, team: "infrastructure", skill_pool: "database-people" },
    train:      { category: "activity",  subject: "Train users",  planned_duration: 10 * day, planned_effort: 1440, team: "desk" },
    live:       { category: "milestone", subject: "Live",                         planned_duration: 0 },
    evaluate:   { category: "activity",  subject: "Retrospective",                    planned_duration: 5 * day,  planned_effort: 240,  assign_to_project_manager: true },
    "fm-plan":  { ...fm, category: "activity",  subject: "Draw up the plan",         planned_duration: 10 * day, planned_effort: 1200, team: "buildings", skill_pool: "technicians" },
    "fm-build": { ...fm, category: "activity",  subject: "Build and paint",       planned_duration: 20 * day, planned_effort: 4800, team: "buildings", skill_pool: "technicians" },
    "fm-open":  { ...fm, category: "milestone", subject: "Opening",            planned_duration: 0 },
  },
};

const stages = (list: readonly (readonly [string, string])[]): Row => ({
  phases: [...new Set(list.map(([phase]) => phase))].map((name) => ({ name })),
  task_templates: list.map(([phase_name, task_template]) => ({ as: task_template, phase_name, task_template })),
});

// biome-ignore format: a table keeps its columns
const projectTemplates: Table = {
  type: "project_template",
  in: "quillhaven-it",
  created: inDays(-435),
  rows: {
    software: { subject: "Introduce software",  ...stages([["Start", "charter"], ["Start", "go-ahead"], ["Make", "design"], ["Make", "build"], ["Introduce", "migrate"], ["Introduce", "train"], ["Introduce", "live"], ["Close", "evaluate"]]) },
    replace:  { subject: "Replace equipment",   ...stages([["Start", "charter"], ["Start", "go-ahead"], ["Replace", "migrate"], ["Replace", "live"], ["Close", "evaluate"]]) },
    rebuild:  { ...fm, subject: "Remodel a floor", ...stages([["Plan", "fm-plan"], ["Build", "fm-build"], ["Build", "fm-open"]]) },
  },
};

export const templates: readonly Table[] = [
  closureCodes,
  rfcTypes,
  workflowTypes,
  riskLevels,
  uiExtensions,
  taskTemplates,
  workflowTemplates,
  requestTemplates,
  projectTaskTemplates,
  projectTemplates,
];
