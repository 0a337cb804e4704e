import { inDays, type Row, type Table } from "./table.ts";

// Service categories, instances, offerings and SLAs.

// biome-ignore format: a table keeps its columns
const serviceCategories: Table = {
  type: "service_category",
  in: "quillhaven-it",
  created: inDays(-541),
  rows: {
    workplace:    { name: "Workplace",           description: "Everything on your desk and in your bag.", services: ["computer", "mail", "telephony", "printing", "files"] },
    connection:   { name: "Connection and Access", description: "Networks, accounts and security.", services: ["network", "access", "security"] },
    applications: { name: "Applications",        description: "The applications our business runs on.", services: ["erp", "portal", "databases"] },
    building:     { in: "quillhaven-fm", name: "Buildings", services: ["buildings", "moves"] },
    hospitality:  { in: "quillhaven-fm", name: "Hospitality", services: ["rooms", "badges", "catering"] },
    hosting:      { in: "nimbrook", name: "Hosting", services: ["hosting", "monitoring"] },
  },
};

// biome-ignore format: a table keeps its columns
const serviceInstances: Table = {
  type: "service_instance",
  in: "quillhaven-it",
  created: inDays(-538),
  rows: {
    mail:             { name: "Email and Calendar Quillhaven", service: "mail",      status: "in_production", maintenance_window: "sunday-night", time_zone: "Amsterdam" },
    "network-europe": { name: "Network Europe",                 service: "network",   status: "in_production", maintenance_window: "sunday-night", time_zone: "Amsterdam" },
    "network-america":{ name: "Network Americas",               service: "network",   status: "in_production", maintenance_window: "sunday-night", time_zone: "Central Time (US & Canada)" },
    "network-asia":   { name: "Network Asia Pacific",           service: "network",   status: "in_production", maintenance_window: "sunday-night", time_zone: "Osaka" },
    computer:         { name: "Laptops and Desktops Quillhaven", service: "computer", status: "in_production" },
    access:           { name: "Accounts and Access Quillhaven", service: "access",    status: "in_production" },
    telephony:        { name: "Telephony Quillhaven",           service: "telephony", status: "in_production" },
    printing:         { name: "Printing Eindhoven and London",  service: "printing",  status: "in_production", remarks: "Duluth and Kobe run their own printers." },
    files:            { name: "File Storage Quillhaven",        service: "files",     status: "in_production", maintenance_window: "sunday-night", time_zone: "Amsterdam" },
    databases:        { name: "Databases Production",           service: "databases", status: "in_production", maintenance_window: "sunday-night", time_zone: "Amsterdam" },
    "databases-test": { name: "Databases Test",                 service: "databases", status: "in_production" },
    erp:              { name: "ERP Production",                 service: "erp",       status: "in_production", maintenance_window: "sunday-night", time_zone: "Amsterdam" },
    "erp-next":       { name: "ERP Next Release",               service: "erp",       status: "being_prepared" },
    portal:           { name: "Customer Portal",                service: "portal",    status: "in_production" },
    security:         { name: "Information Security Quillhaven", service: "security", status: "in_production" },
    rooms:            { in: "quillhaven-fm", name: "Meeting Rooms Quillhaven",        service: "rooms",     status: "in_production" },
    badges:           { in: "quillhaven-fm", name: "Badges and Visitors Quillhaven",  service: "badges",    status: "in_production" },
    catering:         { in: "quillhaven-fm", name: "Catering Eindhoven and London",   service: "catering",  status: "in_production" },
    buildings:        { in: "quillhaven-fm", name: "Buildings Quillhaven",            service: "buildings", status: "in_production" },
    moves:            { in: "quillhaven-fm", name: "Moves and Furniture Quillhaven",  service: "moves",     status: "in_production" },
    hosting:          { in: "nimbrook", name: "Managed Hosting for Quillhaven",       service: "hosting",   status: "in_production", maintenance_window: "nimbrook-always", time_zone: "Warsaw" },
    monitoring:       { in: "nimbrook", name: "Monitoring for Quillhaven",            service: "monitoring", status: "in_production" },
  },
};

const hours = 60;
/** Response and resolution in minutes for top, high, medium and low, and for the other kinds of requests. */
const targets = (list: Readonly<Record<string, readonly [number, number]>>, calendar: string, urgent: string): Row =>
  Object.fromEntries(
    Object.entries(list).flatMap(([kind, [response, resolution]]) => [
      [`response_target_${kind}`, response],
      [`resolution_target_${kind}`, resolution],
      [`support_hours_${kind}`, kind === "top" ? urgent : calendar],
    ]),
  );
// biome-ignore format: a table keeps its columns
const swift   = { top: [15, 2 * hours], high: [30, 4 * hours],    medium: [hours, 8 * hours],      low: [2 * hours, 20 * hours], rfc: [4 * hours, 40 * hours],  rfi: [4 * hours, 20 * hours], case: [4 * hours, 40 * hours] } as const;
// biome-ignore format: a table keeps its columns
const regular = { top: [30, 4 * hours], high: [hours, 8 * hours], medium: [2 * hours, 16 * hours], low: [4 * hours, 40 * hours], rfc: [8 * hours, 80 * hours],  rfi: [8 * hours, 40 * hours], case: [8 * hours, 80 * hours] } as const;

const buildNotificationFields = (scheme: string): Row =>
  Object.fromEntries(
    ["top", "high"].flatMap((impact) => [
      [`response_target_notification_scheme_${impact}`, scheme],
      [`resolution_target_notification_scheme_${impact}`, scheme],
    ]),
  );
const zone = { time_zone: "Amsterdam" };
const it = {
  ...zone,
  ...targets(regular, "desk-hours", "always"),
  ...buildNotificationFields("standard"),
  service_hours: "desk-hours",
  waiting_for_customer_follow_up: "gentle",
  default_effort_class: "regular",
};
const itSwift = {
  ...it,
  ...targets(swift, "desk-hours", "always"),
  ...buildNotificationFields("critical"),
  service_hours: "always",
};
const fm = {
  in: "quillhaven-fm",
  ...zone,
  ...targets(regular, "fm-hours", "fm-always"),
  ...buildNotificationFields("workshop"),
  service_hours: "fm-hours",
  waiting_for_customer_follow_up: "fm-gentle",
  default_effort_class: "fm-regular",
};
const nimbrook = {
  in: "nimbrook",
  time_zone: "Warsaw",
  ...targets(swift, "nimbrook-hours", "nimbrook-always"),
  ...buildNotificationFields("watch"),
  service_hours: "nimbrook-always",
};
const offered = { status: "available", report_frequency: "monthly", review_frequency: "quarterly" };
const promised = { responses_within_target: 95, resolutions_within_target: 90 };

// biome-ignore format: a table keeps its columns
const serviceOfferings: Table = {
  type: "service_offering",
  in: "quillhaven-it",
  created: inDays(-536),
  rows: {
    mail:        { ...itSwift, ...offered, ...promised, name: "Mailbox",             service: "mail",      availability: 99.9, reliability: 1, recovery_time_objective: 4 * hours, recovery_point_objective: hours, summary: "50 GB mailbox with calendar, shared mailboxes and room booking." },
    "mail-large":{ ...itSwift, ...offered, name: "Large Mailbox",  service: "mail", availability: 99.9, summary: "Same as **Mailbox**, with 250 GB. For people who keep everything.", charge_type_rfc: "fixed_price", rate_rfc: "35.00", rate_rfc_currency: "eur" },
    network:     { ...itSwift, ...offered, ...promised, name: "Site Network",        service: "network",   availability: 99.8, reliability: 2, limitations: "Wi-Fi doesn't reliably cover the parking lot." },
    computer:    { ...it, ...offered, ...promised, name: "Standard Workplace",       service: "computer",  summary: "Laptop, dock, monitor, keyboard and mouse. Replaced every four years." },
    "computer-lab": { ...itSwift, ...offered, name: "Laboratory Workplace",          service: "computer",  summary: "A workstation for microscope imaging." },
    access:      { ...itSwift, ...offered, ...promised, name: "Digital Identity",    service: "access",    availability: 99.9 },
    telephony:   { ...it, ...offered, name: "Desk and Mobile Phones",                  service: "telephony" },
    printing:    { ...it, ...offered, name: "Printing",                              service: "printing",  charges: "Black and white: 2 cents per page. Color: 9 cents per page." },
    files:       { ...it, ...offered, ...promised, name: "Team Folder",              service: "files",     recovery_time_objective: 8 * hours, recovery_point_objective: 24 * hours, continuity: "Replicated every night to the second building." },
    databases:   { ...itSwift, ...offered, name: "Managed Database",                 service: "databases", availability: 99.9, recovery_time_objective: 2 * hours, recovery_point_objective: 15 },
    erp:         { ...itSwift, ...offered, ...promised, name: "ERP Production",      service: "erp",       availability: 99.5, reliability: 2, prerequisites: "A digital identity and half a day of training." },
    portal:      { ...itSwift, ...offered, name: "Portal for Customers",             service: "portal",    availability: 99.5 },
    security:    { ...itSwift, ...offered, name: "Protection and Advice",            service: "security" },
    "fax-line":  { ...zone, name: "Fax Line", service: "fax", status: "discontinued" },
    rooms:       { ...fm, ...offered, name: "Meeting Rooms",                         service: "rooms" },
    badges:      { ...fm, ...offered, name: "Badges and Visitors",                   service: "badges" },
    catering:    { ...fm, ...offered, name: "Lunch and Events",                      service: "catering" },
    buildings:   { ...fm, ...offered, ...promised, name: "Building Maintenance",       service: "buildings" },
    moves:       { ...fm, ...offered, name: "Moves and Furniture",                   service: "moves", charge_type_rfc: "time_material" },
    hosting:     { ...nimbrook, ...offered, ...promised, name: "Managed Hosting Gold", service: "hosting", availability: 99.95 },
    monitoring:  { ...nimbrook, ...offered, name: "24/7 Monitoring",       service: "monitoring" },
  },
};

const standing = { status: "active", start_date: inDays(-420), expiry_date: inDays(675), notice_date: inDays(585) };
const forAll = { coverage: "customer_account", customer: "quillhaven", customer_account: "quillhaven" };
const represented = { customer_representatives: ["imogen", "cassius"] };
const ours = { ...standing, ...forAll, ...represented, service_level_manager: "freya" };
const forSites = (region: string, person: string, ...sites: string[]): Row => ({
  ...standing,
  coverage: "sites",
  customer: region,
  customer_representatives: [person],
  service_level_manager: "freya",
  sites,
});
const agreement = (service: string, number: number): Row => ({
  service_offering: service,
  service_instance: service,
  agreementID: `QH-SLA-${number}`,
});

// biome-ignore format: a table keeps its columns
const slas: Table = {
  type: "sla",
  in: "quillhaven-it",
  created: inDays(-430),
  rows: {
    mail:      { name: "Mailbox for Quillhaven",            ...agreement("mail", 101),      ...ours },
    "network-europe":  { name: "Network for Quillhaven Europe",       ...agreement("network", 102), ...forSites("europe", "imogen", "eindhoven", "london"),     service_instance: "network-europe" },
    "network-america": { name: "Network for Quillhaven Americas",     ...agreement("network", 103), ...forSites("americas", "delphine", "duluth", "newyork"), service_instance: "network-america" },
    "network-asia":    { name: "Network for Quillhaven Asia Pacific", ...agreement("network", 104), ...forSites("asia", "yuki", "kobe", "bengaluru"),         service_instance: "network-asia" },
    computer:  { name: "Workplaces for Quillhaven",         ...agreement("computer", 105),  ...ours },
    access:    { name: "Identities for Quillhaven",         ...agreement("access", 106),    ...ours },
    telephony: { name: "Telephony for Quillhaven",          ...agreement("telephony", 107), ...ours },
    printing:  { name: "Printing for Europe",               ...agreement("printing", 108),  ...ours },
    files:     { name: "Team Folders for Quillhaven",       ...agreement("files", 109),     ...ours },
    databases: { name: "Databases for Business Applications", ...agreement("databases", 110), ...standing, coverage: "service_instances", customer: "it", customer_representatives: ["elsie"], service_level_manager: "freya", service_instances: [{ as: "erp", service_instance: "erp", impact_relation: "down" }, { as: "portal", service_instance: "portal", impact_relation: "degraded" }] },
    erp:       { name: "ERP for Quillhaven",                ...agreement("erp", 111),       ...ours },
    portal:    { name: "Customer Portal for Customer Care", ...agreement("portal", 112),    ...ours },
    security:  { name: "Protection for Quillhaven",         ...agreement("security", 113),  ...ours },
    "large-mail": { name: "Large Mailboxes for Legal", service_offering: "mail-large", service_instance: "mail", ...standing, coverage: "organizations", customer: "legal", customer_representatives: ["simon"], organizations: ["legal"], agreementID: "QH-SLA-114" },
    "erp-next": { name: "ERP Next Release for Quillhaven", service_offering: "erp", service_instance: "erp-next", ...forAll, status: "being_prepared", service_level_manager: "freya" },
    rooms:     { in: "quillhaven-fm", name: "Meeting Rooms for Quillhaven", ...agreement("rooms", 201),     ...ours },
    badges:    { in: "quillhaven-fm", name: "Badges for Quillhaven",        ...agreement("badges", 202),    ...ours },
    catering:  { in: "quillhaven-fm", name: "Catering for Quillhaven",      ...agreement("catering", 203),  ...ours },
    buildings: { in: "quillhaven-fm", name: "Buildings for Quillhaven",     ...agreement("buildings", 204), ...ours },
    moves:     { in: "quillhaven-fm", name: "Moves for Quillhaven",         ...agreement("moves", 205),     ...ours },
    hosting:   { in: "nimbrook", name: "Hosting for Nimbrook", service_offering: "hosting", service_instance: "hosting", ...standing, coverage: "organizations_and_descendants", customer: "nimbrook", customer_representatives: ["petra"], service_level_manager: "petra", organizations: ["nimbrook"] },
    monitoring:{ in: "nimbrook", name: "Monitoring for Nimbrook", service_offering: "monitoring", service_instance: "monitoring", ...standing, coverage: "organizations_and_descendants", customer: "nimbrook", customer_representatives: ["petra"], service_level_manager: "petra", organizations: ["nimbrook"] },
  },
};

// biome-ignore format: a table keeps its columns
const coverageGroups: Table = {
  type: "sla_coverage_group",
  in: "quillhaven-it",
  created: inDays(-428),
  rows: {
    desks: { name: "All office workers", description: "The agreements everyone needs.", slas: ["mail", "computer", "access", "telephony", "files"] },
    works: { name: "Factories", search_phrase: "works", slas: ["printing", "erp"] },
  },
};

// biome-ignore format: a table keeps its columns
const firstLineSupport: Table = {
  type: "flsa",
  in: "quillhaven-it",
  created: inDays(-426),
  rows: {
    desk:         { name: "First Line Support by the Service Desk", provider: "it", customer: "quillhaven", customer_rep: "imogen", service_desk_team: "desk", status: "active", start_date: inDays(-420), expiry_date: inDays(675), support_hours: "desk-hours", time_zone: "Amsterdam", pickup_target: 1, pickups_within_target: 90, first_call_resolutions: 40, service_desk_resolutions: 60, service_desk_only_resolutions: 50, rejected_solutions: 5, target_details: "Measured monthly and published to everyone.", major_incident_managers: ["bram", "gareth"] },
    "front-desk": { in: "quillhaven-fm", name: "First Line Support by the Front Desk", provider: "workplace", customer: "quillhaven", customer_rep: "imogen", service_desk_team: "front-desk", status: "active", start_date: inDays(-420), expiry_date: inDays(675), support_hours: "fm-hours", time_zone: "Amsterdam", pickup_target: 2, pickups_within_target: 85 },
  },
};

export const agreements: readonly Table[] = [
  serviceCategories,
  serviceInstances,
  serviceOfferings,
  slas,
  coverageGroups,
  firstLineSupport,
];
