import { inDays, type Table } from "./table.ts";

const street = (address: string, city: string, zip: string, country: string) => [
  { label: "street", address, city, zip, country },
];

// biome-ignore format: a table keeps its columns
export const organizations: Table = {
  type: "organization",
  in: "quillhaven",
  created: inDays(-728),
  rows: {
    quillhaven:       { manager: "odette", substitute: "imogen", remarks: "Optical instruments since 1921: microscopes, levels, and one very long telescope.",
                        addresses: street("Lenzenpad 12", "Eindhoven", "5612 QH", "NL"),
                        contacts: [{ label: "general", telephone: "+31 40 555 0100" }, { label: "general", website: "https://www.quillhaven.example" }, { label: "service_desk", email: "desk@quillhaven.example" }] },
    executive:        { name: "Executive Office",             parent: "quillhaven", manager: "odette",   substitute: "imogen", financialID: "QH-0100" },
    europe:           { name: "Quillhaven Europe",            parent: "quillhaven", manager: "imogen",   substitute: "clara",  financialID: "QH-1000", business_unit: true, region: "Europe" },
    rnd:              { name: "Research and Development",     parent: "europe",     manager: "edgar",    substitute: "linnea", financialID: "QH-1100" },
    optics:           { name: "Optics Laboratory",            parent: "rnd",        manager: "linnea",                         financialID: "QH-1110" },
    firmware:         { name: "Instrument Firmware",          parent: "rnd",        manager: "edgar",                          financialID: "QH-1120" },
    "eindhoven-works":{ name: "Eindhoven Works",              parent: "europe",     manager: "hendrik",  substitute: "bea",    financialID: "QH-1200" },
    "sales-europe":   { name: "Sales Europe",                 parent: "europe",     manager: "clara",                          financialID: "QH-1300" },
    americas:         { name: "Quillhaven Americas",          parent: "quillhaven", manager: "delphine", substitute: "grant",  financialID: "QH-2000", business_unit: true, region: "Americas" },
    "duluth-works":   { name: "Duluth Works",                 parent: "americas",   manager: "grant",    substitute: "maya",   financialID: "QH-2200" },
    "sales-americas": { name: "Sales Americas",               parent: "americas",   manager: "delphine",                       financialID: "QH-2300" },
    asia:             { name: "Quillhaven Asia Pacific",      parent: "quillhaven", manager: "yuki",     substitute: "kenji",  financialID: "QH-3000", business_unit: true, region: "Asia Pacific" },
    "kobe-works":     { name: "Kobe Works",                   parent: "asia",       manager: "kenji",                          financialID: "QH-3200" },
    bengaluru:        { name: "Bengaluru Engineering Centre", parent: "asia",       manager: "ravi",                           financialID: "QH-3400" },
    shared:           { name: "Shared Services",              parent: "quillhaven", manager: "cassius",                        financialID: "QH-4000", business_unit: true, region: "Global" },
    it:               { name: "Information Technology",       parent: "shared",     manager: "tobias",   substitute: "ines",   financialID: "QH-4100",
                        contacts: [{ label: "service_desk", telephone: "+31 40 555 0111" }, { label: "service_desk", email: "it@quillhaven.example" }] },
    "it-operations":  { name: "IT Operations",                parent: "it",         manager: "gareth",                         financialID: "QH-4110" },
    applications:     { name: "Business Applications",        parent: "it",         manager: "elsie",                          financialID: "QH-4120" },
    workplace:        { name: "Workplace Services",           parent: "shared",     manager: "willem",   substitute: "greta",  financialID: "QH-4200",
                        contacts: [{ label: "service_desk", telephone: "+31 40 555 0122" }] },
    finance:          { name: "Finance",                      parent: "shared",     manager: "cassius",                        financialID: "QH-4300" },
    hr:               { name: "People and Culture",           parent: "shared",     manager: "leila",                          financialID: "QH-4400", end_user_privacy: true },
    legal:            { name: "Legal",                        parent: "shared",     manager: "simon",                          financialID: "QH-4500", end_user_privacy: true },
    care:             { name: "Customer Care",                parent: "shared",     manager: "clara",                          financialID: "QH-4600" },

    parchment:        { in: "quillhaven-it", name: "Parchment and Pixel Printers", remarks: "Leases and maintains our printers.",
                        contacts: [{ label: "general", telephone: "+31 10 555 0140" }, { label: "service_desk", email: "repair@parchment-pixel.example" }] },
    halyard:          { in: "quillhaven-it", name: "Halyard Telecom",              remarks: "Provides the lines between our sites.",
                        contacts: [{ label: "service_desk", telephone: "+44 20 7946 0955" }] },
    kettle:           { in: "quillhaven-fm", name: "Copper Kettle Catering",       remarks: "Lunches, coffee and the summer party.",
                        addresses: street("Theepotlaan 4", "Eindhoven", "5611 CK", "NL") },
    tern:             { in: "quillhaven-fm", name: "Tidy Tern Cleaning",           contacts: [{ label: "general", telephone: "+31 40 555 0177" }] },

    nimbrook:         { manager: "petra", remarks: "Managed hosting and monitoring, 24/7.",
                        addresses: street("ul. Deszczowa 7", "Gdańsk", "80-001", "PL"),
                        contacts: [{ label: "service_desk", telephone: "+48 58 555 0100" }, { label: "service_desk", email: "centre@nimbrook.example" }] },
    "nimbrook-cloud": { in: "nimbrook", name: "Cloud Operations", parent: "nimbrook", manager: "joao" },
    "nimbrook-centre":{ in: "nimbrook", name: "Service Centre",   parent: "nimbrook", manager: "catia" },
  },
};
