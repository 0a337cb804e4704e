import { inDays, type Table } from "./table.ts";

// biome-ignore format: a table keeps its columns
export const services: Table = {
  type: "service",
  in: "quillhaven-it",
  created: inDays(-540),
  rows: {
    mail:      { name: "Email and Calendar",      provider: "it", support_team: "infrastructure", first_line_team: "desk", service_owner: "gareth",  change_manager: "otto", problem_manager: "paloma", knowledge_manager: "bram", survey: "it-survey", keywords: "mail, calendar, mailbox, invitation", description: "A mailbox, a calendar and shared rooms for every employee." },
    network:   { name: "Network Access",           provider: "it", support_team: "networks",       first_line_team: "desk", service_owner: "gareth",  change_manager: "otto", problem_manager: "paloma", availability_manager: "amara", capacity_manager: "amara", survey: "it-survey", keywords: "wifi, vpn, lan, internet" },
    computer:  { name: "Laptops and Desktops",     provider: "it", support_team: "end-user",       first_line_team: "desk", service_owner: "felix",   change_manager: "otto", problem_manager: "paloma", knowledge_manager: "bram", survey: "it-survey", keywords: "laptop, screen, docking station, keyboard" },
    access:    { name: "Accounts and Access",      provider: "it", support_team: "identity",       first_line_team: "desk", service_owner: "noor",    change_manager: "otto", problem_manager: "paloma", survey: "it-survey", keywords: "password, account, permission, sign in" },
    telephony: { name: "Telephony",                provider: "it", support_team: "networks",       first_line_team: "desk", service_owner: "amara",   change_manager: "otto", keywords: "telephone, mobile, headset" },
    printing:  { name: "Printing",                 provider: "it", support_team: "end-user",       first_line_team: "desk", service_owner: "felix",   keywords: "printer, toner, scan", description: "Printers and toner are provided by Parchment and Pixel Printers." },
    files:     { name: "File Storage",             provider: "it", support_team: "infrastructure", first_line_team: "desk", service_owner: "gareth",  continuity_manager: "wei", capacity_manager: "wei", keywords: "folder, share, backup, restore" },
    databases: { name: "Database Hosting",         provider: "it", support_team: "infrastructure", service_owner: "wei",    continuity_manager: "wei", availability_manager: "wei", keywords: "database, server" },
    erp:       { name: "Enterprise Resource Planning", provider: "it", support_team: "applications", first_line_team: "desk", service_owner: "elsie", change_manager: "otto", release_manager: "elsie", problem_manager: "paloma", survey: "it-survey", keywords: "erp, order, invoice, stock" },
    portal:    { name: "Customer Portal",          provider: "it", support_team: "portal",         first_line_team: "desk", service_owner: "sunniva", release_manager: "elsie", problem_manager: "paloma", keywords: "portal, customer, instrument, calibration" },
    security:  { name: "Information Security",     provider: "it", support_team: "security",       first_line_team: "desk", service_owner: "hanna",   keywords: "phishing, virus, breach" },
    fax:       { name: "Fax",                      provider: "it", support_team: "networks",       service_owner: "amara",  disabled: true, description: "Retired. No one noticed for a year." },

    rooms:     { in: "quillhaven-fm", name: "Meeting Rooms",       provider: "workplace", support_team: "front-desk", first_line_team: "front-desk", service_owner: "greta", survey: "workplace-survey", keywords: "room, projector, booking" },
    badges:    { in: "quillhaven-fm", name: "Badges and Visitors", provider: "workplace", support_team: "front-desk", first_line_team: "front-desk", service_owner: "greta", survey: "workplace-survey", keywords: "badge, visitor, door" },
    catering:  { in: "quillhaven-fm", name: "Catering",            provider: "workplace", support_team: "front-desk", first_line_team: "front-desk", service_owner: "lotte", keywords: "lunch, coffee, event" },
    buildings: { in: "quillhaven-fm", name: "Heating, Lighting and Plumbing", provider: "workplace", support_team: "buildings", first_line_team: "front-desk", service_owner: "samir", change_manager: "otto", survey: "workplace-survey", keywords: "cold, warm, lamp, leak" },
    moves:     { in: "quillhaven-fm", name: "Moves and Furniture", provider: "workplace", support_team: "buildings",  first_line_team: "front-desk", service_owner: "kofi",  keywords: "desk, chair, move" },

    hosting:    { in: "nimbrook", name: "Managed Hosting",    provider: "nimbrook-cloud",  support_team: "cloud", first_line_team: "centre", service_owner: "joao",  survey: "nimbrook-survey", keywords: "server, virtual machine" },
    monitoring: { in: "nimbrook", name: "24/7 Monitoring", provider: "nimbrook-centre", support_team: "cloud", first_line_team: "centre", service_owner: "catia", keywords: "alert, night, watch" },
  },
};
