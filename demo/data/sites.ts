import { inDays, type Table } from "./table.ts";

// biome-ignore format: a table keeps its columns
const rows = {
  eindhoven: { name: "Eindhoven Campus",      address: "Lenzenpad 12",                                city: "Eindhoven", zip: "5612 QH", country: "NL",   time_zone: "Amsterdam", remarks: "Head office, laboratory and factory. Visitors check in at the glass tower." },
  london:    { name: "London Office",         address: "3 Barometer Mews",                            city: "London",    zip: "SE1 0QH", country: "GB",   time_zone: "London" },
  duluth:    { name: "Duluth Works",          address: "480 Spyglass Avenue",                         city: "Duluth",    zip: "55802",   country: "US",   time_zone: "Central Time (US & Canada)", state: "MN" },
  newyork:   { name: "New York Sales Office", address: "19 Monocle Street, floor 6",                  city: "New York",  zip: "10003",   country: "US",   time_zone: "Eastern Time (US & Canada)", state: "NY" },
  kobe:      { name: "Kobe Works",            address: "2-5-1 Renzu-cho",                             city: "Kobe",      zip: "650-0001", country: "JP",  time_zone: "Osaka" },
  bengaluru: { name: "Bengaluru Engineering Centre", address: "77 Prism Road, Lantern Park",          city: "Bengaluru", zip: "560001",  country: "IN",   time_zone: "Chennai", state: "Karnataka" },
  sydney:    { name: "Sydney Office",         address: "8 Periscope Lane",                            city: "Sydney",    zip: "2000",    country: "AU",   time_zone: "Sydney",  state: "NSW", disabled: true, remarks: "Closed. The team now works from Kobe." },
  gdansk:    { in: "nimbrook", name: "Nimbrook Gdansk", address: "ul. Deszczowa 7",                   city: "Gdańsk",    zip: "80-001",  country: "PL",   time_zone: "Warsaw" },
  lisbon:    { in: "nimbrook", name: "Nimbrook Lisbon", address: "Rua da Nuvem 21",                   city: "Lisbon",    zip: "1100-001", country: "PT",  time_zone: "Lisbon" },
};

export type SiteName = keyof typeof rows;
export const getZone = (site: SiteName): string => rows[site].time_zone;

/** The networks of the sites, by which the audit trail names where a change came from. */
export const networks: readonly (readonly [network: string, name: string])[] = Object.values(rows).map(
  ({ city }, at) => [`10.${20 + at * 4}.0.0/16`, city],
);

export const sites: Table = { type: "site", in: "quillhaven", created: inDays(-727), rows };
