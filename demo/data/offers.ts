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
    "budget":       meeting("iris",     "cassius", "Budget, second attempt", 3, 12, 3),
    "interviews":   meeting("convex",   "leila",   "Interviews",             4, 7, 4),
    "one-to-one":   meeting("concave",  "bram",    "One to one",             1, 10, 1),
    "suppliers":    meeting("aperture", "willem",  "Suppliers",              5, 9, 3),
    "security":     meeting("meniscus", "hanna",   "Security council",       2, 13, 2),
    "works":        meeting("fresnel",  "hendrik", "Production of next week", 6, 6, 1),
    "van-to-works": { name: "Crates to the works", ci: "van-1", person: "kofi", start_at: inDays(2, 8), end_at: inDays(2, 12), reservation_offering: "van" },
  },
};

// biome-ignore format: a table keeps its columns
const shopCategories: Table = {
  type: "shop_article_category",
  in: "quillhaven-it",
  created: inDays(-345),
  rows: {
    workplace:   { name: "Workplace",   short_description: "What is on your desk" },
    laptops:     { name: "Laptops",     parent: "workplace" },
    accessories: { name: "Accessories", parent: "workplace", short_description: "Small things that are always missing" },
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
    "kestrel-14": { reference: "kestrel-14", name: "Laptop Kestrel 14",       category: "laptops",     product: "kestrel-14", fulfillment_template: "laptop",    ...shipped, delivery_duration: 4800, ...euro("1290.00"), short_description: "Light, for those who travel.", service_offerings: ["computer"] },
    "kestrel-16": { reference: "kestrel-16", name: "Laptop Kestrel 16",       category: "laptops",     product: "kestrel-16", fulfillment_template: "laptop",    ...shipped, delivery_duration: 4800, ...euro("1849.00"), short_description: "Large, for those who calculate.", service_offerings: ["computer"] },
    "screen-27":  { reference: "screen-27",  name: "Screen 27 inch",          category: "accessories", product: "vista-27",   fulfillment_template: "accessory", ...shipped, delivery_duration: 2400, ...euro("289.00"), max_quantity: 2 },
    "screen-34":  { reference: "screen-34",  name: "Screen 34 inch, wide",    category: "accessories", product: "vista-34",   fulfillment_template: "accessory", ...shipped, delivery_duration: 2400, ...euro("610.00") },
    headset:      { reference: "headset",    name: "Headset",                 category: "accessories", fulfillment_template: "accessory", ...shipped, delivery_duration: 960, ...euro("79.00") },
    keyboard:     { reference: "keyboard",   name: "Keyboard, quiet",         category: "accessories", fulfillment_template: "accessory", ...shipped, delivery_duration: 960, ...euro("65.00"), short_description: "Your neighbour will thank you." },
    mouse:        { reference: "mouse",      name: "Mouse, upright",          category: "accessories", fulfillment_template: "accessory", ...shipped, delivery_duration: 960, ...euro("49.00") },
    cad:          { reference: "cad",        name: "Draughtsman CAD",         category: "software",    product: "draughts",   fulfillment_template: "software",  calendar: "europe-hours", time_zone: "Amsterdam", delivery_duration: 960, ...monthly("110.00") },
    raytrace:     { reference: "raytrace",   name: "Raytrace Optics",         category: "software",    product: "raytrace",   fulfillment_template: "software",  calendar: "europe-hours", time_zone: "Amsterdam", delivery_duration: 960, ...monthly("245.00") },
    pebble:       { reference: "pebble-5",   name: "Mobile phone Pebble 5",   category: "mobile",      product: "pebble",     fulfillment_template: "accessory", ...shipped, delivery_duration: 2400, ...euro("420.00"), ...monthly("14.50") },
    chair:        { ...comfort, reference: "chair", name: "Chair, adjustable", fulfillment_template: "move", delivery_duration: 4800, ...euro("540.00") },
    lamp:         { ...comfort, reference: "lamp",  name: "Desk lamp",         fulfillment_template: "move", delivery_duration: 1440, ...euro("48.00") },
    fern:         { ...comfort, reference: "fern",  name: "Fern",              fulfillment_template: "move", delivery_duration: 1440, ...euro("22.00"), short_description: "Likes light, forgives holidays." },
  },
};

// biome-ignore format: a table keeps its columns
const broadcasts: Table = {
  type: "broadcast",
  in: "quillhaven-it",
  created: inDays(-1, 7),
  rows: {
    maintenance: { message: "ERP is not available on Sunday from 20:00 to 23:00: a new release is installed.", message_type: "warning", visibility: "all_of_account", start_at: inDays(-1, 7), end_at: inDays(5, 22), time_zone: "Amsterdam",
                   translations: [{ locale: "nl", message: "ERP is zondag van 20:00 tot 23:00 niet beschikbaar: er komt een nieuwe versie." }, { locale: "de", message: "ERP ist am Sonntag von 20 bis 23 Uhr nicht erreichbar: Eine neue Version wird eingespielt." }] },
    duluth:      { message: "The wireless network in Duluth is slow. We are on it.", message_type: "outage", visibility: "sites", sites: ["duluth"], start_at: inDays(-1, 7), time_zone: "Central Time (US & Canada)" },
    phishing:    { message: "Somebody writes in the name of our chief executive and asks for gift cards. She does not.", message_type: "info", visibility: "all_of_account", start_at: inDays(-1, 7), end_at: inDays(9), time_zone: "Amsterdam" },
    portal:      { message: "The portal is back. Thank you for your patience.", message_type: "available", visibility: "covered_for", service_instances: ["portal"], start_at: inDays(-20, 9), end_at: inDays(-18, 9), time_zone: "Amsterdam", created: inDays(-20, 9) },
    desk:        { message: "On call this weekend: Amara for the network, Wei for everything with a disk.", message_type: "info", visibility: "members_of_teams", teams: ["desk", "networks", "infrastructure"], start_at: inDays(-1, 7), end_at: inDays(4, 7), time_zone: "Amsterdam" },
    heating:     { in: "quillhaven-fm", message: "The heating of tower 2 is repaired on Thursday. Bring a jumper.", message_type: "warning", visibility: "sites", sites: ["eindhoven"], start_at: inDays(-1, 7), end_at: inDays(3, 17), time_zone: "Amsterdam" },
  },
};

// biome-ignore format: a table keeps its columns
const risks: Table = {
  type: "risk",
  in: "quillhaven-it",
  created: inDays(-170),
  rows: {
    "one-line":   { by: "amara", subject: "Kobe hangs on one line",                         severity: "high",      manager: "amara", mitigation_target_at: inDays(60),  services: ["network"], organizations: ["kobe-works"], note: "A second line costs less than one day of standing still." },
    "old-erp":    { by: "elsie", subject: "Support for the ERP release ends next year",     severity: "very_high", manager: "elsie", mitigation_target_at: inDays(190), services: ["erp"] },
    "one-person": { by: "gareth", subject: "One person knows the database of calibrations", severity: "medium",    manager: "gareth", mitigation_target_at: inDays(40), services: ["databases"], note: "That person goes on holiday, too." },
    phishing:     { by: "hanna", subject: "Colleagues are asked for passwords by strangers", severity: "high",     manager: "hanna", status: "materialized", services: ["security", "access"] },
    flood:        { by: "gareth", subject: "The data centre lies below the river",          severity: "high",      manager: "gareth", status: "closed", closure_reason: "mitigated", services: ["databases", "files"], note: "The second room is in the works, on a hill. A small one." },
    licenses:     { by: "diego", subject: "Fewer CAD licenses than people who draw",        severity: "low",       manager: "diego", status: "closed", closure_reason: "accepted" },
    boiler:       { in: "quillhaven-fm", by: "samir", subject: "The boiler of the works is older than its engineer", severity: "high", manager: "samir", mitigation_target_at: inDays(120), services: ["buildings"] },
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
