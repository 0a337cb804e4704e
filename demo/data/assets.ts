import { SeededRandom } from "../loader/seeded-random.ts";
import { people } from "./people.ts";
import type { SiteName } from "./sites.ts";
import { inDays, type Row, type Rows, type Table } from "./table.ts";

// biome-ignore format: a table keeps its columns
const productCategories: Table = {
  type: "product_category",
  in: "quillhaven-it",
  created: inDays(-535),
  rows: {
    laptop:   { name: "Laptop",            group: "Workplace", rule_set: "physical_asset", review_in_use_since_days: 1460, review_warranty_expiry_days: 30 },
    desktop:  { name: "Workstation",       group: "Workplace", rule_set: "physical_asset", review_in_use_since_days: 1825 },
    screen:   { name: "Screen",            group: "Workplace", rule_set: "physical_asset" },
    mobile:   { name: "Mobile Phone",      group: "Workplace", rule_set: "physical_asset" },
    printer:  { name: "Printer",           group: "Workplace", rule_set: "physical_asset" },
    switch:   { name: "Switch",            group: "Network",   rule_set: "physical_asset" },
    wireless: { name: "Access Point",      group: "Network",   rule_set: "physical_asset" },
    router:   { name: "Router",            group: "Network",   rule_set: "physical_asset" },
    line:     { name: "Line",              group: "Network",   rule_set: "logical_asset_with_financial_data" },
    server:   { name: "Server",            group: "Data Center", rule_set: "server" },
    database: { name: "Database",          group: "Data Center", rule_set: "logical_asset_without_financial_data" },
    software: { name: "Application",       group: "Software",  rule_set: "software", review_license_expiry_days: 60 },
    package:  { name: "Package",           group: "Software",  rule_set: "software_distribution_package" },
    projector:{ in: "quillhaven-fm", name: "Projector",        group: "Meeting Rooms", rule_set: "physical_asset" },
    room:     { in: "quillhaven-fm", name: "Meeting Room",     group: "Meeting Rooms", rule_set: "logical_asset_without_financial_data" },
    heating:  { in: "quillhaven-fm", name: "Heating",          group: "Buildings",     rule_set: "physical_asset" },
    vehicle:  { in: "quillhaven-fm", name: "Vehicle",          group: "Fleet",         rule_set: "physical_asset" },
    virtual:  { in: "nimbrook", name: "Virtual Machine",       group: "Cloud",         rule_set: "server" },
  },
};

const linear = (years: number): Row => ({ depreciation_method: "straight_line", useful_life: years });
const leased: Row = { depreciation_method: "not_depreciated" };
const fm: Row = { in: "quillhaven-fm", financial_owner: "workplace" };

// biome-ignore format: a table keeps its columns
const products: Table = {
  type: "product",
  in: "quillhaven-it",
  created: inDays(-533),
  rows: {
    "kestrel-14":  { name: "Kestrel 14",        brand: "Wingfold",  model: "K14-G3",   productID: "WF-K14-3",  category: "workplace/laptop",      service: "computer",  support_team: "end-user", ...linear(4), salvage_value: "75.00", salvage_value_currency: "eur" },
    "kestrel-16":  { name: "Kestrel 16",        brand: "Wingfold",  model: "K16-G3",   productID: "WF-K16-3",  category: "workplace/laptop",      service: "computer",  support_team: "end-user", ...linear(4) },
    "heron":       { name: "Heron Workstation", brand: "Wingfold",  model: "H900",     productID: "WF-H900",   category: "workplace/workstation", service: "computer",  support_team: "end-user", ...linear(5), remarks: "For simulations. Also heats the lab." },
    "vista-27":    { name: "Vista 27",          brand: "Lumenox",   model: "V27",      productID: "LX-V27",    category: "workplace/screen",      service: "computer",  support_team: "end-user", ...linear(6) },
    "vista-34":    { name: "Vista 34 Wide",     brand: "Lumenox",   model: "V34W",     productID: "LX-V34W",   category: "workplace/screen",      service: "computer",  support_team: "end-user", ...linear(6) },
    "pebble":      { name: "Pebble 5",          brand: "Skipstone", model: "P5",       productID: "SK-P5",     category: "workplace/mobile_phone", service: "telephony", support_team: "networks", ...linear(3) },
    "inkwell":     { name: "Inkwell 400",       brand: "Parchment", model: "IW400",    productID: "PP-IW400",  category: "workplace/printer",     service: "printing",  support_team: "end-user", supplier: "parchment", ...leased },
    "inkwell-lab": { name: "Inkwell Label",     brand: "Parchment", model: "IWL",      productID: "PP-IWL",    category: "workplace/printer",     service: "printing",  support_team: "end-user", supplier: "parchment", ...leased },
    "junction-48": { name: "Junction 48",       brand: "Tessellate", model: "J48P",    productID: "TS-J48P",   category: "network/switch",        service: "network",   support_team: "networks", ...linear(7) },
    "junction-24": { name: "Junction 24",       brand: "Tessellate", model: "J24P",    productID: "TS-J24P",   category: "network/switch",        service: "network",   support_team: "networks", ...linear(7) },
    "beacon":      { name: "Beacon 6",          brand: "Tessellate", model: "B6E",     productID: "TS-B6E",    category: "network/access_point",  service: "network",   support_team: "networks", ...linear(5) },
    "turnpike":    { name: "Turnpike Router",   brand: "Tessellate", model: "TP2",     productID: "TS-TP2",    category: "network/router",        service: "network",   support_team: "networks", ...linear(7) },
    "halyard-10g": { name: "10 Gbit/s line",    brand: "Halyard",   model: "Express 10", productID: "HT-10G",  category: "network/line",          service: "network",   support_team: "networks", supplier: "halyard" },
    "halyard-1g":  { name: "1 Gbit/s line",     brand: "Halyard",   model: "Express 1", productID: "HT-1G",    category: "network/line",          service: "network",   support_team: "networks", supplier: "halyard" },
    "anvil":       { name: "Anvil Server",      brand: "Brasswork", model: "A2U",      productID: "BW-A2U",    category: "data_center/server",    service: "databases", support_team: "infrastructure", ...linear(5) },
    "anvil-store": { name: "Anvil Storage",     brand: "Brasswork", model: "AS24",     productID: "BW-AS24",   category: "data_center/server",    service: "files",     support_team: "infrastructure", ...linear(5) },
    "ledger-db":   { name: "Ledger Database",   brand: "Quartzite", model: "QDB 16",   productID: "QZ-16",     category: "data_center/database",  service: "databases", support_team: "infrastructure" },
    "prisma":      { name: "Prisma ERP",        brand: "Granary",   model: "Prisma 9", productID: "GR-P9",     category: "software/application",  service: "erp",       support_team: "applications" },
    "postbox":     { name: "Postbox Mail",      brand: "Granary",   model: "Postbox 4", productID: "GR-PB4",   category: "software/application",  service: "mail",      support_team: "infrastructure" },
    "draughts":    { name: "Draughtsman CAD",   brand: "Compasso",  model: "D 2025",   productID: "CO-D25",    category: "software/application",  service: "computer",  support_team: "end-user" },
    "raytrace":    { name: "Raytrace Optics",   brand: "Compasso",  model: "R 7",      productID: "CO-R7",     category: "software/application",  service: "computer",  support_team: "end-user" },
    "workplace-image": { name: "Workplace Image", brand: "Quillhaven", model: "Image", productID: "QH-IMG",    category: "software/package",      service: "computer",  support_team: "end-user" },
    "old-falcon":  { name: "Falcon 13",         brand: "Wingfold",  model: "F13",      productID: "WF-F13",    category: "workplace/laptop",      service: "computer",  support_team: "end-user", disabled: true },
    "beam":        { ...fm, name: "Beam Projector",   brand: "Lumenox",   model: "BP3",     productID: "LX-BP3",  category: "meeting_rooms/projector",    service: "rooms",     support_team: "front-desk", ...linear(5) },
    "room-small":  { ...fm, name: "Small Meeting Room", brand: "Quillhaven", model: "4 seats", productID: "QH-R4",  category: "meeting_rooms/meeting_room", service: "rooms",     support_team: "front-desk" },
    "room-large":  { ...fm, name: "Large Meeting Room", brand: "Quillhaven", model: "12 seats", productID: "QH-R12", category: "meeting_rooms/meeting_room", service: "rooms",     support_team: "front-desk" },
    "ember":       { ...fm, name: "Ember Boiler",     brand: "Hearthwell", model: "E250",   productID: "HW-E250", category: "buildings/heating",          service: "buildings", support_team: "buildings", ...linear(15) },
    "dray":        { ...fm, name: "Dray Electric Van", brand: "Cartwheel", model: "Dray E", productID: "CW-DE",   category: "fleet/vehicle",              service: "moves",     support_team: "buildings", ...leased },
    "nimbus-m":    { in: "nimbrook", name: "Virtual Machine M", brand: "Nimbrook", model: "M 4/16",  productID: "NB-M",  category: "cloud/virtual_machine", service: "hosting", support_team: "cloud" },
    "nimbus-l":    { in: "nimbrook", name: "Virtual Machine L", brand: "Nimbrook", model: "L 16/64", productID: "NB-L",  category: "cloud/virtual_machine", service: "hosting", support_team: "cloud" },
  },
};

// Similar items are generated: one laptop per person, and the network equipment of each site.
const chance = new SeededRandom(1921);
const items: Record<string, Row> = {};
const add = (name: string, row: Row): string => {
  items[name] = row;
  return name;
};
const number = (value: number, width = 3): string => String(value).padStart(width, "0");
const relation = (ci: string, relation_type: string): Row => ({ as: `${relation_type} ${ci}`, ci, relation_type });

const euros = (purchase_value: string): Row => ({ purchase_value, purchase_value_currency: "eur" });
const seats = Object.entries(people[0]?.rows ?? {}).filter(
  ([, { disabled, in: elsewhere }]) => disabled !== true && elsewhere === undefined,
);

const deviceSites: readonly SiteName[] = ["eindhoven", "london", "duluth", "newyork", "kobe", "bengaluru"];
// biome-ignore format: a table keeps its columns
const size: Record<string, { switches: number; wireless: number; printers: number; screens: number; line: string; code: string }> = {
  eindhoven: { switches: 6, wireless: 14, printers: 6, screens: 20, line: "halyard-10g", code: "EHV" },
  london:    { switches: 3, wireless: 6,  printers: 3, screens: 8,  line: "halyard-1g",  code: "LON" },
  duluth:    { switches: 4, wireless: 8,  printers: 3, screens: 6,  line: "halyard-1g",  code: "DLH" },
  newyork:   { switches: 1, wireless: 2,  printers: 1, screens: 2,  line: "halyard-1g",  code: "NYC" },
  kobe:      { switches: 3, wireless: 6,  printers: 2, screens: 5,  line: "halyard-1g",  code: "UKB" },
  bengaluru: { switches: 2, wireless: 6,  printers: 2, screens: 5,  line: "halyard-10g", code: "BLR" },
};
const pickNetwork = (site: SiteName): string =>
  site === "duluth" || site === "newyork"
    ? "network-america"
    : site === "kobe" || site === "bengaluru"
      ? "network-asia"
      : "network-europe";

function addNetwork(site: SiteName): void {
  const { switches, wireless, printers, screens, line, code } = size[site] as (typeof size)[string];
  const of = (count: number, each: (n: number) => void) => Array.from({ length: count }, (_, n) => each(n + 1));
  const here: Row = { site, status: "in_production", service_instances: [pickNetwork(site)] };
  add(`${code}-line`, {
    product: line,
    label: `LIN-${code}`,
    name: `Line ${code}`,
    ...here,
    remarks: "Halyard responds within an hour.",
  });
  add(`${code}-router`, {
    product: "turnpike",
    label: `RTR-${code}-01`,
    name: `Router ${code}`,
    serial_nr: `TP2-${chance.between(100_000, 999_999)}`,
    location: "Equipment room",
    ...here,
    ci_relations: [relation(`${code}-line`, "network_connection")],
  });
  of(switches, (n) =>
    add(`${code}-switch-${n}`, {
      product: n <= switches / 2 ? "junction-48" : "junction-24",
      label: `SWI-${code}-${number(n, 2)}`,
      serial_nr: `J-${chance.between(1_000_000, 9_999_999)}`,
      location: `Floor ${n}, cabinet`,
      in_use_since: inDays(-chance.between(300, 1500)),
      ...here,
      ci_relations: [relation(`${code}-router`, "network_connection")],
    }),
  );
  of(wireless, (n) =>
    add(`${code}-wifi-${n}`, {
      product: "beacon",
      label: `WAP-${code}-${number(n, 2)}`,
      serial_nr: `B6-${chance.between(1_000_000, 9_999_999)}`,
      location: `Ceiling, zone ${n}`,
      ...here,
      ci_relations: [relation(`${code}-switch-${((n - 1) % switches) + 1}`, "network_connection")],
    }),
  );
  of(printers, (n) =>
    add(`${code}-printer-${n}`, {
      product: n % 3 === 0 ? "inkwell-lab" : "inkwell",
      label: `PRT-${code}-${number(n, 2)}`,
      name: `Printer ${code} ${n}`,
      serial_nr: `IW-${chance.between(100_000, 999_999)}`,
      location: `Floor ${n}, copy corner`,
      site,
      status: "in_production",
      service_instances: ["printing"],
    }),
  );
  of(screens, (n) =>
    add(`${code}-screen-${n}`, {
      product: n % 4 === 0 ? "vista-34" : "vista-27",
      label: `SCR-${code}-${number(n)}`,
      site,
      status: n % 9 === 0 ? "in_stock" : "in_production",
      in_use_since: inDays(-chance.between(60, 1800)),
      ...euros(n % 4 === 0 ? "610.00" : "289.00"),
    }),
  );
}

function addWorkplaces(): void {
  seats.forEach(([person, { site, organization, cost_per_hour }], index) => {
    const since = chance.between(40, 1300);
    const isEngineer = ["optics", "firmware", "bengaluru"].includes(String(organization));
    add(`laptop-${person}`, {
      product: isEngineer || index % 5 === 0 ? "kestrel-16" : "kestrel-14",
      label: `LAP-${number(index + 101, 5)}`,
      serial_nr: `WF${chance.between(10_000_000, 99_999_999)}`,
      assetID: `A-${20_000 + index}`,
      site,
      status: "in_production",
      in_use_since: inDays(-since),
      warranty_expiry_date: inDays(1095 - since),
      financial_owner: organization === "tern" ? "workplace" : organization,
      ...euros(isEngineer ? "1849.00" : "1290.00"),
      users: [person],
      service_instances: ["computer"],
    });
    if (cost_per_hour !== undefined || index % 3 === 0)
      add(`mobile-${person}`, {
        product: "pebble",
        label: `MOB-${number(index + 101, 5)}`,
        serial_nr: `P5-${chance.between(1_000_000, 9_999_999)}`,
        site,
        status: "in_production",
        users: [person],
        service_instances: ["telephony"],
      });
  });
  for (const person of ["juno", "linnea", "edgar", "pascal", "ravi"])
    add(`heron-${person}`, {
      product: "heron",
      label: `WKS-${person.slice(0, 3).toUpperCase()}`,
      site: person === "ravi" ? "bengaluru" : "eindhoven",
      location: "Optics laboratory",
      status: "in_production",
      users: [person],
      service_instances: ["computer"],
      ...euros("5400.00"),
    });
  for (let n = 1; n <= 6; n++)
    add(`laptop-stock-${n}`, {
      product: "kestrel-14",
      label: `LAP-${number(n + 900, 5)}`,
      site: "eindhoven",
      location: "Store, shelf 2",
      status: "in_stock",
    });
  add("laptop-lost", {
    product: "kestrel-14",
    label: "LAP-00888",
    site: "london",
    status: "lost_or_stolen",
    remarks: "Left on a train to Brighton. The train went on.",
  });
  add("laptop-repair", {
    product: "kestrel-16",
    label: "LAP-00889",
    site: "duluth",
    status: "being_repaired",
    remarks: "Met a forklift.",
  });
}

// biome-ignore format: a table keeps its columns
function addDataCentre(): void {
  const running: Row = { status: "in_production", site: "eindhoven", location: "Data center, tower 1" };
  const other: Row = { ...running, location: "Data center, works" };
  for (let n = 1; n <= 8; n++)
    add(`server-${n}`, { product: "anvil", label: `SRV-EHV-${number(n, 2)}`, name: `Server ${n}`, serial_nr: `BW${chance.between(1_000_000, 9_999_999)}`, nr_of_processors: 2, nr_of_cores: 32, ...(n <= 4 ? running : other), status: n === 8 ? "standby_for_continuity" : "in_production", service_instances: [n <= 5 ? "databases" : "databases-test"], ...euros("11200.00"),
      ci_relations: [relation(`EHV-switch-${n <= 4 ? 1 : 2}`, "network_connection"), ...(n > 4 ? [relation(`server-${n - 4}`, "redundancy")] : [])] });
  for (let n = 1; n <= 2; n++)
    add(`store-${n}`, { product: "anvil-store", label: `STO-EHV-0${n}`, name: `Storage ${n}`, ...(n === 1 ? running : other), service_instances: ["files"], ci_relations: n === 2 ? [relation("store-1", "redundancy")] : [] });
  for (const [n, name] of ["erp", "portal", "warehouse", "calibration", "identity", "test"].entries())
    add(`db-${name}`, { product: "ledger-db", label: `DB-${name.toUpperCase()}`, name: `Database ${name}`, ...running, service_instances: [name === "test" ? "databases-test" : "databases"], ci_relations: [relation(`server-${n + 1}`, "parent")] });
  add("erp-application",    { product: "prisma",   label: "APP-ERP",    name: "Prisma ERP production", status: "in_production", service_instances: ["erp"],    contracts: ["prisma-support"], ci_relations: [relation("db-erp", "software_dependency"), relation("server-1", "parent")] });
  add("erp-licenses",       { product: "prisma",   label: "LIC-ERP",    name: "Prisma ERP licenses",   status: "in_production", license_type: "named_user_license", nr_of_licenses: 180, license_expiry_date: inDays(210), contracts: ["prisma-support"] });
  add("mail-application",   { product: "postbox",  label: "APP-MAIL",   name: "Postbox Mail",          status: "in_production", service_instances: ["mail"],   ci_relations: [relation("db-identity", "software_dependency")] });
  add("cad-licenses",       { product: "draughts", label: "LIC-CAD",    name: "Draughtsman licenses",  status: "in_production", license_type: "concurrent_user_license", nr_of_licenses: 25, license_expiry_date: inDays(45) });
  add("raytrace-licenses",  { product: "raytrace", label: "LIC-RAY",    name: "Raytrace licenses",     status: "in_production", license_type: "named_user_license", nr_of_licenses: 12, license_expiry_date: inDays(130) });
  add("workplace-image",    { product: "workplace-image", label: "PKG-IMAGE", name: "Workplace image, spring release", status: "in_production", service_instances: ["computer"] });

  const here: Row = { in: "quillhaven-fm", site: "eindhoven", status: "in_production" };
  const lenses = ["Convex", "Concave", "Meniscus", "Prism", "Fresnel", "Achromat", "Aperture", "Iris"];
  lenses.forEach((lens, n) => {
    add(`room-${lens.toLowerCase()}`, { ...here, product: n < 5 ? "room-small" : "room-large", label: `ROOM-${lens.toUpperCase()}`, name: `Room ${lens}`, location: `Tower, floor ${n + 1}`, service_instances: ["rooms"] });
    if (n >= 3) add(`projector-${lens.toLowerCase()}`, { ...here, product: "beam", label: `BEAM-${number(n, 2)}`, location: `Room ${lens}`, status: n === 6 ? "being_repaired" : "in_production", service_instances: ["rooms"], ci_relations: [relation(`room-${lens.toLowerCase()}`, "child")] });
  });
  for (let n = 1; n <= 3; n++) add(`boiler-${n}`, { ...here, product: "ember", label: `BOIL-0${n}`, location: ["Tower cellar", "Works", "Laboratory"][n - 1], service_instances: ["buildings"] });
  for (let n = 1; n <= 2; n++) add(`van-${n}`, { ...here, product: "dray", label: `VAN-0${n}`, service_instances: ["moves"], contracts: ["fleet-lease"] });
  for (let n = 1; n <= 9; n++) add(`vm-${n}`, { in: "nimbrook", product: n % 3 === 0 ? "nimbus-l" : "nimbus-m", label: `VM-QH-${number(n, 2)}`, site: "gdansk", status: "in_production", nr_of_cores: n % 3 === 0 ? 16 : 4, service_instances: [n <= 7 ? "hosting" : "monitoring"] });
}

for (const site of deviceSites) addNetwork(site);
addDataCentre();
addWorkplaces();

const configurationItems: Table = { type: "ci", in: "quillhaven-it", created: inDays(-380), rows: items };

const term: Row = { status: "active", start_date: inDays(-300), expiry_date: inDays(430), time_zone: "Amsterdam" };
const listPrinters = (code: string): string[] =>
  Object.keys(items).filter((name) => name.startsWith(`${code}-printer`));
const lines = Object.keys(items).filter((name) => name.endsWith("-line"));

// biome-ignore format: a table keeps its columns
const contracts: Table = {
  type: "contract",
  in: "quillhaven-it",
  created: inDays(-310),
  rows: {
    printers:         { name: "Printer lease",        category: "lease_contract",        customer: "it",        customer_rep: "felix",  supplier: "parchment", ...term, notice_date: inDays(340), cis: [...listPrinters("EHV"), ...listPrinters("LON")], remarks: "Toner is included." },
    lines:            { name: "Site-to-site lines",  category: "support_and_maintenance_contract", customer: "it", customer_rep: "amara", supplier: "halyard", ...term, cis: lines },
    "prisma-support": { name: "Prisma ERP support",   category: "support_contract",      customer: "it",        customer_rep: "elsie",  ...term },
    "server-care":    { name: "Server maintenance",   category: "maintenance_contract",  customer: "it",        customer_rep: "gareth", ...term, cis: ["server-1", "server-2", "server-3", "server-4", "store-1"] },
    "old-telephones": { name: "Desk phone lease",          category: "lease_contract",        customer: "it",        status: "expired", start_date: inDays(-1400), expiry_date: inDays(-320) },
    "fleet-lease":    { in: "quillhaven-fm", name: "Van lease", category: "lease_contract", customer: "workplace", customer_rep: "kofi", ...term },
    cleaning:         { in: "quillhaven-fm", name: "Cleaning",      category: "other_type_of_contract", customer: "workplace", customer_rep: "greta", supplier: "tern", ...term },
    boilers:          { in: "quillhaven-fm", name: "Boiler maintenance", category: "maintenance_contract", customer: "workplace", customer_rep: "samir", ...term, cis: ["boiler-1", "boiler-2", "boiler-3"] },
    next:             { name: "Printer lease renewal", category: "lease_contract", customer: "it", supplier: "parchment", status: "scheduled_for_activation", start_date: inDays(431), time_zone: "Amsterdam" },
  },
};

export const assets: readonly Table[] = [productCategories, products, configurationItems, contracts];
/** by short name */
export const configurationItemRows: Rows = items;
