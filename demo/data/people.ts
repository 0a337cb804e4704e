import { getZone, type SiteName } from "./sites.ts";
import { inDays, type Roles, type Row, type Rows, type Table } from "./table.ts";

type DemoPerson = Row & { name: string; job_title: string; site: SiteName; roles?: Roles };

const it = (...roles: string[]): Roles => ({ "quillhaven-it": roles });
const fm = (...roles: string[]): Roles => ({ "quillhaven-fm": roles });
const home = (address: string, city: string, zip: string, country: string): Row[] => [
  { label: "home", address, city, zip, country },
];

// biome-ignore format: a table keeps its columns
const quillhaven: Record<string, DemoPerson> = {
  // those who decide
  odette:   { name: "Odette Marlowe",    job_title: "Chief Executive Officer",     organization: "executive",       site: "eindhoven", vip: true, location: "Tower 9.01" },
  imogen:   { name: "Imogen Tallis",     job_title: "Chief Operating Officer",     organization: "executive",       site: "london",    manager: "odette",  vip: true, locale: "en-GB", roles: it("key_contact") },
  cassius:  { name: "Cassius Fenn",      job_title: "Chief Financial Officer",     organization: "finance",         site: "eindhoven", manager: "odette",  vip: true, location: "Tower 9.04" },
  delphine: { name: "Delphine Okoro",    job_title: "President, Americas",          organization: "americas",        site: "newyork",   manager: "odette",  vip: true },
  yuki:     { name: "Yuki Arakawa",      job_title: "President, Asia Pacific",      organization: "asia",            site: "kobe",      manager: "odette",  vip: true },
  tobias:   { name: "Tobias Wren",       job_title: "Chief Information Officer",   organization: "it",              site: "eindhoven", manager: "cassius", vip: true, location: "Tower 8.10", roles: { ...it("specialist", "auditor"), ...fm("key_contact") } },

  // information technology
  ines:     { name: "Ines Calloway",     job_title: "Service Management Lead",     organization: "it",              site: "eindhoven", manager: "tobias",  location: "Tower 8.12", cost_per_hour: "92.50", information: "Administers the accounts. Faster than the manual.",
              roles: { quillhaven: ["account_owner", "account_administrator", "directory_administrator"], ...it("account_owner", "specialist", "account_administrator"), ...fm("specialist", "account_administrator") } },
  bram:     { name: "Bram Osterveld",    job_title: "Service Desk Manager",        organization: "it-operations",   site: "eindhoven", manager: "gareth",  locale: "nl", cost_per_hour: "68.00", roles: it("specialist", "service_desk_analyst", "service_desk_manager", "knowledge_manager") },
  luca:     { name: "Luca Ferrant",      job_title: "Service Desk Analyst",        organization: "it-operations",   site: "eindhoven", manager: "bram",    cost_per_hour: "48.00", roles: it("specialist", "service_desk_analyst") },
  maeve:    { name: "Maeve Donnelly",    job_title: "Service Desk Analyst",        organization: "it-operations",   site: "london",    manager: "bram",    locale: "en-GB", cost_per_hour: "51.00", roles: { ...it("specialist", "service_desk_analyst"), ...fm("specialist", "service_desk_analyst") } },
  priya:    { name: "Priya Nandakumar",  job_title: "Service Desk Analyst",        organization: "it-operations",   site: "bengaluru", manager: "bram",    cost_per_hour: "31.00", roles: it("specialist", "service_desk_analyst") },
  hiro:     { name: "Hiro Takenaka",     job_title: "Service Desk Analyst",        organization: "it-operations",   site: "kobe",      manager: "bram",    cost_per_hour: "44.00", roles: it("specialist", "service_desk_analyst") },
  gareth:   { name: "Gareth Pryce",      job_title: "Head of IT Operations",       organization: "it-operations",   site: "eindhoven", manager: "tobias",  locale: "en-GB", cost_per_hour: "95.00", roles: it("specialist", "workflow_manager", "release_manager") },
  soren:    { name: "Soren Lindqvist",   job_title: "Network Engineer",            organization: "it-operations",   site: "eindhoven", manager: "gareth",  cost_per_hour: "74.00", addresses: home("Kabelsteeg 3", "Eindhoven", "5613 SL", "NL"), roles: it("specialist", "service_desk_analyst") },
  amara:    { name: "Amara Diallo",      job_title: "Senior Network Engineer",     organization: "it-operations",   site: "eindhoven", manager: "gareth",  locale: "fr", cost_per_hour: "82.00", roles: it("specialist") },
  felix:    { name: "Felix Brandt",      job_title: "Workplace Engineer",          organization: "it-operations",   site: "eindhoven", manager: "gareth",  locale: "de", cost_per_hour: "63.00", roles: it("specialist") },
  noor:     { name: "Noor Haddad",       job_title: "Identity Engineer",           organization: "it-operations",   site: "london",    manager: "gareth",  cost_per_hour: "77.00", roles: it("specialist") },
  wei:      { name: "Wei Lian",          job_title: "Database Administrator",      organization: "it-operations",   site: "bengaluru", manager: "gareth",  cost_per_hour: "52.00", roles: it("specialist") },
  dana:     { name: "Dana Pickett",      job_title: "Field Engineer",              organization: "it-operations",   site: "duluth",    manager: "gareth",  cost_per_hour: "66.00", roles: it("specialist") },
  elsie:    { name: "Elsie Thornbury",   job_title: "Head of Business Applications", organization: "applications",  site: "eindhoven", manager: "tobias",  cost_per_hour: "94.00", roles: it("specialist", "release_manager", "project_manager") },
  ruben:    { name: "Ruben Castell",     job_title: "ERP Consultant",              organization: "applications",    site: "eindhoven", manager: "elsie",   locale: "es", cost_per_hour: "88.00", roles: it("specialist") },
  sunniva:  { name: "Sunniva Holt",      job_title: "Product Owner, Customer Portal",        organization: "applications",    site: "eindhoven", manager: "elsie",   cost_per_hour: "81.00", roles: it("specialist", "project_manager") },
  marek:    { name: "Marek Dvoran",      job_title: "Software Engineer",           organization: "applications",    site: "eindhoven", manager: "elsie",   cost_per_hour: "79.00", roles: it("specialist") },
  anika:    { name: "Anika Rao",         job_title: "Software Engineer",           organization: "applications",    site: "bengaluru", manager: "elsie",   cost_per_hour: "47.00", roles: it("specialist") },
  jonas:    { name: "Jonas Ekberg",      job_title: "Software Engineer",           organization: "applications",    site: "london",    manager: "elsie",   cost_per_hour: "84.00", roles: it("specialist") },
  paloma:   { name: "Paloma Reyes",      job_title: "Problem Manager",             organization: "it",              site: "eindhoven", manager: "ines",    locale: "es", cost_per_hour: "76.00", roles: it("specialist", "problem_manager") },
  otto:     { name: "Otto Kessling",     job_title: "Change Manager",              organization: "it",              site: "eindhoven", manager: "ines",    locale: "de", cost_per_hour: "78.00", roles: { ...it("specialist", "workflow_manager"), ...fm("specialist", "workflow_manager") } },
  freya:    { name: "Freya Ashdown",     job_title: "Service Level Manager",       organization: "it",              site: "london",    manager: "ines",    locale: "en-GB", cost_per_hour: "80.00", roles: { ...it("specialist", "service_level_manager"), ...fm("specialist", "service_level_manager") } },
  diego:    { name: "Diego Marchetti",   job_title: "Configuration Manager",       organization: "it",              site: "eindhoven", manager: "ines",    cost_per_hour: "72.00", roles: it("specialist", "configuration_manager") },
  hanna:    { name: "Hanna Vesel",       job_title: "Information Security Officer", organization: "it",             site: "eindhoven", manager: "tobias",  cost_per_hour: "98.00", roles: { quillhaven: ["directory_auditor"], ...it("specialist", "auditor") } },
  cyrus:    { name: "Cyrus Bell",        job_title: "IT Controller",               organization: "finance",         site: "eindhoven", manager: "cassius", cost_per_hour: "70.00", roles: { ...it("specialist", "financial_manager"), ...fm("specialist", "financial_manager") } },
  nadia:    { name: "Nadia Brook",       job_title: "UX Designer",          organization: "it",              site: "london",    manager: "ines",    cost_per_hour: "69.00", roles: { quillhaven: ["directory_designer"], ...it("account_designer"), ...fm("account_designer") } },
  tess:     { name: "Tess Aldergate",    job_title: "Internal Auditor",            organization: "finance",         site: "eindhoven", manager: "cassius", roles: { quillhaven: ["directory_auditor"], ...it("auditor"), ...fm("auditor") } },

  // workplace services
  willem:   { name: "Willem Haverkort",  job_title: "Head of Workplace Services",  organization: "workplace",       site: "eindhoven", manager: "cassius", locale: "nl", cost_per_hour: "83.00", roles: fm("account_owner", "specialist", "account_administrator", "service_desk_manager") },
  greta:    { name: "Greta Lunde",       job_title: "Facilities Coordinator",      organization: "workplace",       site: "eindhoven", manager: "willem",  cost_per_hour: "55.00", roles: fm("specialist", "service_desk_analyst", "knowledge_manager") },
  polly:    { name: "Polly Hargreave",   job_title: "Receptionist",                  organization: "workplace",       site: "london",    manager: "greta",   locale: "en-GB", cost_per_hour: "39.00", roles: fm("specialist", "service_desk_analyst") },
  samir:    { name: "Samir Aziz",        job_title: "Building Engineer",           organization: "workplace",       site: "eindhoven", manager: "willem",  locale: "nl", cost_per_hour: "58.00", roles: fm("specialist", "configuration_manager") },
  kofi:     { name: "Kofi Mensah",       job_title: "Moves and Fleet Coordinator",             organization: "workplace",       site: "eindhoven", manager: "willem",  cost_per_hour: "49.00", roles: fm("specialist", "project_manager") },
  lotte:    { name: "Lotte Verbrugge",   job_title: "Events and Catering Coordinator",         organization: "workplace",       site: "eindhoven", manager: "greta",   locale: "nl", cost_per_hour: "46.00", roles: fm("specialist") },
  arjun:    { name: "Arjun Pillai",      job_title: "Facilities Coordinator",      organization: "workplace",       site: "bengaluru", manager: "willem",  cost_per_hour: "28.00", roles: fm("specialist", "service_desk_analyst") },
  carl:     { in: "quillhaven-fm", name: "Carl Ostrander", job_title: "Building Technician, contractor", organization: "tern", site: "duluth", manager: "samir", cost_per_hour: "42.00", roles: fm("specialist") },

  // everyone else
  juno:     { name: "Juno Whitlock",     job_title: "Optical Engineer",            organization: "optics",          site: "eindhoven", manager: "linnea",  location: "Lab 2.14", addresses: home("Prismastraat 88", "Eindhoven", "5614 JW", "NL") },
  edgar:    { name: "Edgar Moss",        job_title: "Head of Research",            organization: "rnd",             site: "eindhoven", manager: "imogen",  roles: it("key_contact") },
  linnea:   { name: "Linnea Frost",      job_title: "Laboratory Manager",          organization: "optics",          site: "eindhoven", manager: "edgar",   location: "Lab 2.01" },
  pascal:   { name: "Pascal Duvivier",   job_title: "Firmware Engineer",           organization: "firmware",        site: "eindhoven", manager: "edgar",   locale: "fr" },
  zofia:    { name: "Zofia Malik",       job_title: "Firmware Engineer",           organization: "firmware",        site: "london",    manager: "edgar" },
  hendrik:  { name: "Hendrik Vos",       job_title: "Works Manager",               organization: "eindhoven-works", site: "eindhoven", manager: "imogen",  locale: "nl", roles: { ...it("key_contact"), ...fm("key_contact") } },
  bea:      { name: "Bea Timmer",        job_title: "Production Planner",          organization: "eindhoven-works", site: "eindhoven", manager: "hendrik", locale: "nl" },
  oscar:    { name: "Oscar Renn",        job_title: "Quality Inspector",           organization: "eindhoven-works", site: "eindhoven", manager: "hendrik" },
  clara:    { name: "Clara Whitcombe",   job_title: "Sales Director, Europe",       organization: "sales-europe",    site: "london",    manager: "imogen",  locale: "en-GB", roles: it("key_contact") },
  dario:    { name: "Dario Salis",       job_title: "Account Executive",           organization: "sales-europe",    site: "london",    manager: "clara" },
  fatima:   { name: "Fatima Benali",     job_title: "Sales Support",               organization: "sales-europe",    site: "eindhoven", manager: "clara",   locale: "fr" },
  grant:    { name: "Grant Holloway",    job_title: "Works Manager",               organization: "duluth-works",    site: "duluth",    manager: "delphine", roles: { ...it("key_contact"), ...fm("key_contact") } },
  maya:     { name: "Maya Sandoval",     job_title: "Production Lead",             organization: "duluth-works",    site: "duluth",    manager: "grant",   locale: "es" },
  theo:     { name: "Theo Lindgren",     job_title: "Account Executive",           organization: "sales-americas",  site: "newyork",   manager: "delphine" },
  kenji:    { name: "Kenji Morita",      job_title: "Works Manager",               organization: "kobe-works",      site: "kobe",      manager: "yuki",    roles: it("key_contact") },
  aiko:     { name: "Aiko Sugihara",     job_title: "Assembler",                   organization: "kobe-works",      site: "kobe",      manager: "kenji" },
  ravi:     { name: "Ravi Menon",        job_title: "Engineering Manager",         organization: "bengaluru",       site: "bengaluru", manager: "yuki" },
  leila:    { name: "Leila Farrokh",     job_title: "Head of People and Culture",  organization: "hr",              site: "eindhoven", manager: "odette",  roles: fm("key_contact") },
  simon:    { name: "Simon Pell",        job_title: "General Counsel",             organization: "legal",           site: "london",    manager: "odette",  locale: "en-GB" },
  wanda:    { name: "Wanda Kowal",       job_title: "Accountant",                  organization: "finance",         site: "eindhoven", manager: "cassius" },
  basil:    { name: "Basil Okafor",      job_title: "Customer Care Agent",         organization: "care",            site: "london",    manager: "clara" },
  hazel:    { name: "Hazel Ridley",      job_title: "Service Desk Analyst",        organization: "it-operations",   site: "london",    manager: "bram",    disabled: true, information: "Left the company to run a lighthouse." },
};

// biome-ignore format: a table keeps its columns
const nimbrook: Record<string, DemoPerson> = {
  petra:    { name: "Petra Zielak",      job_title: "Service Delivery Manager",    organization: "nimbrook",        site: "gdansk", cost_per_hour: "71.00", roles: { nimbrook: ["account_owner", "specialist", "account_administrator", "service_level_manager"], ...it("specialist") } },
  joao:     { name: "Joao Varela",       job_title: "Head of Cloud Operations",    organization: "nimbrook-cloud",  site: "lisbon", manager: "petra", cost_per_hour: "67.00", roles: { nimbrook: ["specialist", "workflow_manager", "configuration_manager"] } },
  ewa:      { name: "Ewa Nowicka",       job_title: "Cloud Engineer",              organization: "nimbrook-cloud",  site: "gdansk", manager: "joao",  cost_per_hour: "54.00", roles: { nimbrook: ["specialist"] } },
  tomas:    { name: "Tomas Rybar",       job_title: "Cloud Engineer",              organization: "nimbrook-cloud",  site: "gdansk", manager: "joao",  cost_per_hour: "54.00", roles: { nimbrook: ["specialist", "problem_manager"] } },
  catia:    { name: "Catia Moreira",     job_title: "Service Centre Lead",         organization: "nimbrook-centre", site: "lisbon", manager: "petra", cost_per_hour: "45.00", roles: { nimbrook: ["specialist", "service_desk_analyst", "service_desk_manager"] } },
  olek:     { name: "Olek Zaremba",      job_title: "Service Centre Analyst",      organization: "nimbrook-centre", site: "gdansk", manager: "catia", cost_per_hour: "38.00", roles: { nimbrook: ["specialist", "service_desk_analyst"] } },
};

// Telephone numbers reserved for fiction, or with such a prefix.
// biome-ignore format: a table keeps its columns
const lines: Record<SiteName, string> = {
  eindhoven: "+31 40 555 01", london: "+44 20 7946 09", duluth: "+1 218 555 01", newyork: "+1 212 555 01", kobe: "+81 78 555 01",
  bengaluru: "+91 80 5555 01", sydney: "+61 2 5550 01", gdansk: "+48 58 555 01", lisbon: "+351 21 555 01",
};

/** Derives address, telephone, employee number and time zone from the row and its position. */
function buildPeople(seats: Record<string, DemoPerson>, domain: string, prefix: string): Rows {
  return Object.fromEntries(
    Object.entries(seats).map(([key, seat], index): [string, Row] => {
      const number = String(index + 20);
      const isSpecialist = Object.values(seat.roles ?? {}).some((held) => held.includes("specialist"));
      return [
        key,
        {
          primary_email: `${seat.name.toLowerCase().replaceAll(" ", ".")}@${domain}`,
          employeeID: `${prefix}-${1000 + index}`,
          supportID: `${key}-${number}`,
          time_zone: getZone(seat.site),
          cost_per_hour_currency: seat.cost_per_hour === undefined ? null : "eur",
          contacts: [
            { label: "work", telephone: lines[seat.site] + number },
            ...(isSpecialist ? [{ label: "mobile", telephone: `${lines[seat.site]}${number} 7` }] : []),
          ],
          ...seat,
        },
      ];
    }),
  );
}

export const people: readonly Table[] = [
  { type: "person", in: "quillhaven", created: inDays(-600), rows: buildPeople(quillhaven, "quillhaven.example", "Q") },
  { type: "person", in: "nimbrook", created: inDays(-590), rows: buildPeople(nimbrook, "nimbrook.example", "N") },
];
