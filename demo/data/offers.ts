import { inDays, type Row, type Table } from "./table.ts";

// Self-service: room reservations, the shop, and broadcasts.

const rooms = ["convex", "concave", "meniscus", "prism", "fresnel", "achromat", "aperture", "iris"];
const steps: Row = { min_duration: 30, max_duration: 480, step_duration: 15, initial_status: "confirmed" };

// biome-ignore format: a table keeps its columns
const reservationOfferings: Table = {
  type: "reservation_offering",
  in: "quillhaven-fm",
  created: inDays(-350),
  rows: {
    small: { name: "Small meeting room",  service_instance: "rooms", calendar: "room-hours", time_zone: "Amsterdam", ...steps, allow_repeat: true, max_advance_duration: 129_600, request_templates: ["room"], cis: rooms.slice(0, 5).map((room) => `room-${room}`) },
    large: { name: "Large meeting room",  service_instance: "rooms", calendar: "room-hours", time_zone: "Amsterdam", ...steps, min_duration: 60, preparation_duration: 30, request_templates: ["room"], cis: rooms.slice(5).map((room) => `room-${room}`) },
    van:   { name: "Electric van",        service_instance: "moves", calendar: "fm-hours",   time_zone: "Amsterdam", ...steps, max_duration: 1440, multi_day: true, initial_status: "pending", preparation_duration: 60, cis: ["van-1", "van-2"] },
  },
};

const meeting = (room: string, person: string, name: string, days: number, hour: number, hours: number): Row => ({
  name,
  ci: `room-${room}`,
  person,
  start_at: inDays(days, hour),
  end_at: inDays(days, hour + hours),
  reservation_offering: ["achromat", "aperture", "iris"].includes(room) ? "large" : "small",
});

// biome-ignore format: a table keeps its columns
const reservations: Table = {
  type: "reservation",
  in: "quillhaven-fm",
  created: inDays(-1, 6),
  rows: {
    "lens-review":  meeting("achromat", "linnea",  "Lens review",            1, 8, 2),
    "portal-plan":  meeting("prism",    "sunniva", "Sprint planning",        2, 8, 2),
    "budget":       meeting("iris",     "cassius", "Budget review, round two", 3, 12, 3),
    "interviews":   meeting("convex",   "leila",   "Interviews",             4, 7, 4),
    "one-to-one":   meeting("concave",  "bram",    "One-on-one",             1, 10, 1),
    "suppliers":    meeting("aperture", "willem",  "Supplier meeting",              5, 9, 3),
    "security":     meeting("meniscus", "hanna",   "Security council",       2, 13, 2),
    "works":        meeting("fresnel",  "hendrik", "Production planning", 6, 6, 1),
    "van-to-works": { name: "Crates to the factory", ci: "van-1", person: "kofi", start_at: inDays(2, 8), end_at: inDays(2, 12), reservation_offering: "van" },
  },
};

// biome-ignore format: a table keeps its columns
const shopCategories: Table = {
  type: "shop_article_category",
  in: "quillhaven-it",
  created: inDays(-345),
  rows: {
    workplace:   { name: "Workplace",   short_description: "Everything for your desk" },
    laptops:     { name: "Laptops",     parent: "workplace" },
    accessories: { name: "Accessories", parent: "workplace", short_description: "The little things you always need" },
    software:    { name: "Software" },
    mobile:      { name: "Mobile" },
    comfort:     { in: "quillhaven-fm", name: "Comfort", short_description: "Chairs, lamps, plants" },
  },
};

const shipped: Row = { calendar: "europe-hours", time_zone: "Amsterdam", requires_shipping: true };
const euro = (price: string): Row => ({ price, price_currency: "eur" });
const monthly = (recurring_price: string): Row => ({
  recurring_price,
  recurring_price_currency: "eur",
  recurring_period: "monthly",
});
const comfort: Row = { in: "quillhaven-fm", category: "comfort", calendar: "fm-hours", time_zone: "Amsterdam" };

// biome-ignore format: a table keeps its columns
const shopArticles: Table = {
  type: "shop_article",
  in: "quillhaven-it",
  created: inDays(-340),
  rows: {
    "kestrel-14": { reference: "kestrel-14", name: "Kestrel 14 laptop",       category: "laptops",     product: "kestrel-14", fulfillment_template: "laptop",    ...shipped, delivery_duration: 4800, ...euro("1290.00"), short_description: "Light and portable, for frequent travelers.", service_offerings: ["computer"] },
    "kestrel-16": { reference: "kestrel-16", name: "Kestrel 16 laptop",       category: "laptops",     product: "kestrel-16", fulfillment_template: "laptop",    ...shipped, delivery_duration: 4800, ...euro("1849.00"), short_description: "More power and a larger screen, for demanding work.", service_offerings: ["computer"] },
    "screen-27":  { reference: "screen-27",  name: "27-inch monitor",          category: "accessories", product: "vista-27",   fulfillment_template: "accessory", ...shipped, delivery_duration: 2400, ...euro("289.00"), max_quantity: 2 },
    "screen-34":  { reference: "screen-34",  name: "34-inch ultrawide monitor",    category: "accessories", product: "vista-34",   fulfillment_template: "accessory", ...shipped, delivery_duration: 2400, ...euro("610.00") },
    headset:      { reference: "headset",    name: "Headset",                 category: "accessories", fulfillment_template: "accessory", ...shipped, delivery_duration: 960, ...euro("79.00") },
    keyboard:     { reference: "keyboard",   name: "Quiet keyboard",         category: "accessories", fulfillment_template: "accessory", ...shipped, delivery_duration: 960, ...euro("65.00"), short_description: "Your neighbors will thank you." },
    mouse:        { reference: "mouse",      name: "Vertical mouse",          category: "accessories", fulfillment_template: "accessory", ...shipped, delivery_duration: 960, ...euro("49.00") },
    cad:          { reference: "cad",        name: "Draughtsman CAD",         category: "software",    product: "draughts",   fulfillment_template: "software",  calendar: "europe-hours", time_zone: "Amsterdam", delivery_duration: 960, ...monthly("110.00") },
    raytrace:     { reference: "raytrace",   name: "Raytrace Optics",         category: "software",    product: "raytrace",   fulfillment_template: "software",  calendar: "europe-hours", time_zone: "Amsterdam", delivery_duration: 960, ...monthly("245.00") },
    pebble:       { reference: "pebble-5",   name: "Pebble 5 phone",   category: "mobile",      product: "pebble",     fulfillment_template: "accessory", ...shipped, delivery_duration: 2400, ...euro("420.00"), ...monthly("14.50") },
    chair:        { ...comfort, reference: "chair", name: "Adjustable chair", fulfillment_template: "move", delivery_duration: 4800, ...euro("540.00") },
    lamp:         { ...comfort, reference: "lamp",  name: "Desk lamp",         fulfillment_template: "move", delivery_duration: 1440, ...euro("48.00") },
    fern:         { ...comfort, reference: "fern",  name: "Fern",              fulfillment_template: "move", delivery_duration: 1440, ...euro("22.00"), short_description: "Likes light. Forgives vacations." },
  },
};

// biome-ignore format: a table keeps its columns
const broadcasts: Table = {
  type: "broadcast",
  in: "quillhaven-it",
  created: inDays(-1, 7),
  rows: {
    maintenance: { message: "ERP will be unavailable on Sunday from 20:00 to 23:00 while we install a new release.", message_type: "warning", visibility: "all_of_account", start_at: inDays(-1, 7), end_at: inDays(5, 22), time_zone: "Amsterdam",
                   translations: [{ locale: "nl", message: "ERP is zondag van 20:00 tot 23:00 niet beschikbaar: er komt een nieuwe versie." }, { locale: "de", message: "ERP ist am Sonntag von 20 bis 23 Uhr nicht erreichbar: Eine neue Version wird eingespielt." }] },
    duluth:      { message: "Wi-Fi in Duluth is slow. We're working on it.", message_type: "outage", visibility: "sites", sites: ["duluth"], start_at: inDays(-1, 7), time_zone: "Central Time (US & Canada)" },
    phishing:    { message: "Phishing alert: emails asking for gift cards in our CEO's name are fake. Don't reply. Report them.", message_type: "info", visibility: "all_of_account", start_at: inDays(-1, 7), end_at: inDays(9), time_zone: "Amsterdam" },
    portal:      { message: "The portal is back up. Thank you for your patience.", message_type: "available", visibility: "covered_for", service_instances: ["portal"], start_at: inDays(-20, 9), end_at: inDays(-18, 9), time_zone: "Amsterdam", created: inDays(-20, 9) },
    desk:        { message: "On call this weekend: Amara for networks, Wei for servers and databases.", message_type: "info", visibility: "members_of_teams", teams: ["desk", "networks", "infrastructure"], start_at: inDays(-1, 7), end_at: inDays(4, 7), time_zone: "Amsterdam" },
    heating:     { in: "quillhaven-fm", message: "Heating repairs in Tower 2 on Thursday. Dress warmly.", message_type: "warning", visibility: "sites", sites: ["eindhoven"], start_at: inDays(-1, 7), end_at: inDays(3, 17), time_zone: "Amsterdam" },
  },
};

// biome-ignore format: a table keeps its columns
const risks: Table = {
  type: "risk",
  in: "quillhaven-it",
  created: inDays(-170),
  rows: {
    "one-line":   { by: "amara", subject: "Kobe depends on a single network line",                         severity: "high",      manager: "amara", mitigation_target_at: inDays(60),  services: ["network"], organizations: ["kobe-works"], note: "A second line costs less than one day of downtime." },
    "old-erp":    { by: "elsie", subject: "Support for the ERP release ends next year",     severity: "very_high", manager: "elsie", mitigation_target_at: inDays(190), services: ["erp"] },
    "one-person": { by: "gareth", subject: "Only one person knows the calibration database", severity: "medium",    manager: "gareth", mitigation_target_at: inDays(40), services: ["databases"], note: "And they go on vacation, too." },
    phishing:     { by: "hanna", subject: "Phishing attempts against employees", severity: "high",     manager: "hanna", status: "materialized", services: ["security", "access"] },
    flood:        { by: "gareth", subject: "Data center is below flood level",          severity: "high",      manager: "gareth", status: "closed", closure_reason: "mitigated", services: ["databases", "files"], note: "The second server room is at the factory, on a hill. A small hill." },
    licenses:     { by: "diego", subject: "Too few CAD licenses",        severity: "low",       manager: "diego", status: "closed", closure_reason: "accepted" },
    boiler:       { in: "quillhaven-fm", by: "samir", subject: "Factory boiler is past its service life", severity: "high", manager: "samir", mitigation_target_at: inDays(120), services: ["buildings"] },
  },
};

export const offers: readonly Table[] = [
  reservationOfferings,
  reservations,
  shopCategories,
  shopArticles,
  broadcasts,
  risks,
];
