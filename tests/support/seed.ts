import type pg from "pg";
import { hashToken } from "../../server/oauth/tokens.ts";

// The world in which every story begins: a directory account with two support domains, a provider they trust, and a stranger.

export const startTime = "2025-03-03T08:00:00Z"; // a Monday

/** Deterministic and in the format that clients expect: 112 letters and digits. */
export const tokenFor = (name: string): string => Buffer.from(name).toString("hex").padEnd(112, "x").slice(0, 112);

// biome-ignore format: a table keeps its columns
const accounts = [
  { id: "widget",    name: "Widget International", directory: null,     zone: "Amsterdam" },
  { id: "widget-it", name: "Widget IT",            directory: "widget", zone: "Amsterdam" },
  { id: "widget-hr", name: "Widget HR",            directory: "widget", zone: "Amsterdam" },
  { id: "provider",  name: "Provider Services",    directory: null,     zone: "London" },
  { id: "stranger",  name: "Stranger Things",      directory: null,     zone: "UTC" },
];

type SeedPerson = {
  id: number;
  name: string;
  email: string;
  account: string;
  organization: number;
  roles: Record<string, string[]>;
  zone?: string;
  locale?: string;
};

// biome-ignore format: a table keeps its columns
export const people = {
  administrator:  { id: 1,  name: "Ada Admin",       email: "ada@widget.example",    account: "widget-it", organization: 1, roles: { "widget-it": ["account_administrator"] } },
  directoryAdmin: { id: 2,  name: "Dirk Directory",  email: "dirk@widget.example",   account: "widget",    organization: 1, roles: { widget: ["directory_administrator"] } },
  specialist:     { id: 3,  name: "Sam Specialist",  email: "sam@widget.example",    account: "widget-it", organization: 2, roles: { "widget-it": ["specialist"] }, zone: "Kolkata" },
  auditor:        { id: 4,  name: "Aude Auditor",    email: "aude@widget.example",   account: "widget-it", organization: 2, roles: { "widget-it": ["auditor"] } },
  requester:      { id: 5,  name: "Rita Requester",  email: "rita@widget.example",   account: "widget",    organization: 3, roles: {}, locale: "nl" },
  keyContact:     { id: 6,  name: "Kim Contact",     email: "kim@widget.example",    account: "widget",    organization: 2, roles: { "widget-it": ["key_contact"] } },
  stranger:       { id: 7,  name: "Stella Stranger", email: "stella@stranger.example", account: "stranger", organization: 5, roles: { stranger: ["account_administrator"] } },
  provider:       { id: 8,  name: "Pat Provider",    email: "pat@provider.example",  account: "provider",  organization: 4, roles: { provider: ["account_administrator"] } },
  manager:        { id: 9,  name: "Mia Manager",     email: "mia@widget.example",    account: "widget-it", organization: 2, roles: { "widget-it": ["specialist"] } },
  providerSpecialist: { id: 10, name: "Pia Specialist", email: "pia@provider.example", account: "provider", organization: 4, roles: { provider: ["specialist"] } },
} satisfies Record<string, SeedPerson>;

export type Role = keyof typeof people;

export async function seed(client: pg.Client): Promise<void> {
  await client.query("BEGIN");
  await client.query("SET CONSTRAINTS ALL DEFERRED");
  await client.query("SET session_replication_role = replica"); // accounts, people and organizations refer to each other
  for (const { id, name, directory, zone } of accounts)
    await client.query(
      `INSERT INTO accounts (id, name, directory_account_id, organization_id, owner_id, plan, currency, locale, time_zone, start_of_week, created_at, updated_at)
       VALUES ($1, $2, $3, $4, 1, 'premium', 'eur', 'en-US', $5, 'mon', $6, $6)`,
      [
        id,
        name,
        directory,
        { widget: 1, "widget-it": 1, "widget-hr": 1, provider: 4, stranger: 5 }[id],
        zone,
        startTime,
      ],
    );
  const organizations: [number, string, string, number | null][] = [
    [1, "widget", "Widget International", null],
    [2, "widget", "Widget IT Department", 1],
    [3, "widget", "Widget Sales", 1],
    [4, "provider", "Provider Services", null],
    [5, "stranger", "Stranger Things", null],
    [6, "widget-it", "Printer Supplier", null],
  ];
  for (const [id, account, name, parent] of organizations)
    await client.query(
      "INSERT INTO organizations (id, account_id, name, parent_id, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $5)",
      [id, account, name, parent, startTime],
    );
  const sites: [number, string, string][] = [
    [1, "widget", "Amsterdam Office"],
    [2, "stranger", "Elsewhere"],
  ];
  for (const [id, account, name] of sites)
    await client.query("INSERT INTO sites (id, account_id, name, created_at, updated_at) VALUES ($1, $2, $3, $4, $4)", [
      id,
      account,
      name,
      startTime,
    ]);
  for (const [role, seat] of Object.entries(people) as [Role, SeedPerson][]) {
    await client.query(
      `INSERT INTO people (id, account_id, name, primary_email, organization_id, site_id, locale, time_zone, time_format_24h, send_email_notifications, show_notification_popup, "supportID", cost_per_hour, manager_id, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, true, 'always', 'always', $9, 87.50, $10, $11, $11)`,
      [
        seat.id,
        seat.account,
        seat.name,
        seat.email,
        seat.organization,
        seat.account === "stranger" ? 2 : 1,
        seat.locale ?? "en-US",
        seat.zone ?? "Amsterdam",
        `S-${seat.id}`,
        role === "requester" ? 9 : null,
        startTime,
      ],
    );
    for (const [account, roles] of Object.entries(seat.roles))
      for (const held of roles)
        await client.query(
          "INSERT INTO permissions (account_id, person_id, role, created_at) VALUES ($1, $2, $3, $4)",
          [account, seat.id, held, startTime],
        );
    await client.query(
      "INSERT INTO tokens (account_id, person_id, kind, name, secret_hash, scopes, created_at) VALUES ($1, $2, 'personal', 'test', $3, $4, $5)",
      [
        seat.account,
        seat.id,
        hashToken(tokenFor(role)),
        JSON.stringify([{ effect: "allow", actions: ["*:*"], accounts: [] }]),
        startTime,
      ],
    );
  }
  const teams: [number, string, string][] = [
    [1, "widget-it", "Service Desk"],
    [2, "widget-it", "Networks"],
    [3, "stranger", "Strange Team"],
  ];
  for (const [id, account, name] of teams)
    await client.query("INSERT INTO teams (id, account_id, name, created_at, updated_at) VALUES ($1, $2, $3, $4, $4)", [
      id,
      account,
      name,
      startTime,
    ]);
  await client.query(
    "INSERT INTO team_members (account_id, team_id, person_id) VALUES ('widget-it', 1, 3), ('widget-it', 1, 9), ('stranger', 3, 7)",
  );
  await client.query(
    "INSERT INTO services (id, account_id, name, provider_id, created_at, updated_at) VALUES (1, 'widget-it', 'E-mail', 1, $1, $1), (2, 'stranger', 'Strange service', 5, $1, $1)",
    [startTime],
  );
  await client.query(
    "INSERT INTO account_trusts (account_id, trusted_account_id, status, created_at) VALUES ('widget-it', 'provider', 'accepted', $1), ('provider', 'widget-it', 'accepted', $1)",
    [startTime],
  );
  for (const table of ["organizations", "sites", "people", "teams", "services"])
    await client.query(`SELECT setval('${table}_id_seq', 1000)`);
  await client.query("COMMIT");
}
