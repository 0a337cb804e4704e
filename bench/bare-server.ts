import Fastify from "fastify";
import pg from "pg";

// The measure to hold ours against: a hand-written server that answers the same JSON from the same tables and does
// nothing else. No credentials, no rights, no validation, no filters but those of the workloads.

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 12 });
const account = "bench";
const domain = process.env.NODE_DOMAIN ?? "steward";
const node = (type: string, id: number) => Buffer.from(`${domain}/${type}/${id}`).toString("base64url");
const time = (date: Date) => `${date.toISOString().slice(0, 19)}+00:00`;

pg.types.setTypeParser(1700, (text) => Number(text));

type Row = Record<string, never> & Record<string, unknown>;
const reference = (type: string, row: Row, prefix: string) =>
  row[`${prefix}_id`] === null
    ? null
    : {
        id: row[`${prefix}_id`],
        name: row[`${prefix}_name`],
        ...(row[`${prefix}_source`] == null ? {} : { sourceID: row[`${prefix}_source`] }),
        ...(row[`${prefix}_disabled`] ? { disabled: true } : {}),
        nodeID: node(type, row[`${prefix}_id`] as unknown as number),
      };

const joins = `LEFT JOIN organizations o ON o.id = p.organization_id LEFT JOIN sites s ON s.id = p.site_id LEFT JOIN people m ON m.id = p.manager_id`;
const joined = `o.id AS o_id, o.name AS o_name, o."sourceID" AS o_source, o.disabled AS o_disabled, s.id AS s_id, s.name AS s_name, s."sourceID" AS s_source, s.disabled AS s_disabled, m.id AS m_id, m.name AS m_name, m."sourceID" AS m_source, m.disabled AS m_disabled`;
const lists = `(SELECT json_agg(json_build_object('id', a.id, 'label', a.label, 'address', a.address, 'city', a.city, 'state', a.state, 'zip', a.zip, 'country', a.country) ORDER BY a.id) FROM addresses a WHERE a.person_id = p.id) AS addresses,
  (SELECT json_agg(json_strip_nulls(json_build_object('id', c.id, 'label', c.label, 'telephone', c.telephone, 'email', c.email, 'website', c.website, 'chat', c.chat)) ORDER BY c.id) FROM contacts c WHERE c.person_id = p.id) AS contacts,
  (SELECT json_agg(f.*) FROM attachments f WHERE f.record_id = p.id AND f.record_type = 'person') AS attachments`;

const oneQuery = `SELECT p.*, ${joined}, ${lists} FROM people p ${joins} WHERE p.id = $1 AND p.account_id = $2`;

const full = (row: Row) => ({
  id: row.id,
  nodeID: node("Person", row.id as unknown as number),
  source: row.source,
  sourceID: row.sourceID,
  name: row.name,
  primary_email: row.primary_email,
  disabled: row.disabled,
  organization: reference("Organization", row, "o"),
  site: reference("Site", row, "s"),
  manager: reference("Person", row, "m"),
  job_title: row.job_title,
  location: row.location,
  employeeID: row.employeeID,
  supportID: row.supportID,
  authenticationID: row.authenticationID,
  vip: row.vip,
  guest: row.guest,
  oauth_person_enablement: row.oauth_person_enablement,
  locale: row.locale,
  time_zone: row.time_zone,
  time_format_24h: row.time_format_24h,
  auto_translation: row.auto_translation,
  do_not_translate_languages: row.do_not_translate_languages,
  send_email_notifications: row.send_email_notifications,
  show_notification_popup: row.show_notification_popup,
  exclude_team_notifications: row.exclude_team_notifications,
  cost_per_hour: row.cost_per_hour,
  cost_per_hour_currency: row.cost_per_hour_currency,
  information: row.information,
  picture_uri: row.picture_uri,
  addresses: row.addresses ?? [],
  contacts: row.contacts ?? [],
  custom_fields: row.custom_fields,
  attachments: row.attachments ?? [],
  created_at: time(row.created_at as unknown as Date),
  updated_at: time(row.updated_at as unknown as Date),
});

const brief = (row: Row) => ({
  id: row.id,
  nodeID: node("Person", row.id as unknown as number),
  sourceID: row.sourceID,
  name: row.name,
  organization: reference("Organization", row, "o"),
  site: reference("Site", row, "s"),
  manager: reference("Person", row, "m"),
  created_at: time(row.created_at as unknown as Date),
  updated_at: time(row.updated_at as unknown as Date),
  disabled: row.disabled,
});

const columns = `p.id, p."sourceID", p.name, p.created_at, p.updated_at, p.disabled, ${joined}`;
const app = Fastify();

app.get("/people/:id", async (request) => {
  const { rows } = await pool.query({
    name: "one",
    text: oneQuery,
    values: [(request.params as { id: string }).id, account],
  });
  return full(rows[0]);
});

app.get("/people/enabled", async (request) => {
  const { organization } = request.query as { organization: string };
  const text = `SELECT ${columns} FROM people p ${joins} WHERE p.account_id = $1 AND p.life_cycle = 'active' AND NOT p.disabled AND p.organization_id = $2 ORDER BY p.id DESC LIMIT 25`;
  const { rows } = await pool.query({ name: "newest", text, values: [account, organization] });
  return rows.map(brief);
});

app.get("/people", async (request, reply) => {
  const { organization, updated_at } = request.query as { organization: string; updated_at: string };
  const [from, to] = updated_at.slice(2).split("<=");
  const where =
    "p.account_id = $1 AND p.life_cycle = 'active' AND p.organization_id = ANY($2::integer[]) AND p.updated_at >= $3 AND p.updated_at <= $4";
  const values = [account, organization.split(",").map(Number), from, to];
  const [page, total] = await Promise.all([
    pool.query({
      name: "filtered",
      text: `SELECT ${columns} FROM people p ${joins} WHERE ${where} ORDER BY p.updated_at, p.id LIMIT 100`,
      values,
    }),
    pool.query({ name: "total", text: `SELECT count(*)::integer AS count FROM people p WHERE ${where}`, values }),
  ]);
  reply.header("X-Pagination-Total-Entries", total.rows[0].count);
  return page.rows.map(brief);
});

/** A record, its audit line and its event in one transaction. */
async function save<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query({ name: "begin", text: "BEGIN" });
    const result = await work(client);
    await client.query({ name: "commit", text: "COMMIT" });
    return result;
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  } finally {
    client.release();
  }
}

const journal = async (client: pg.PoolClient, action: string, id: number, changes: unknown) => {
  const text = `WITH line AS (INSERT INTO audit_lines (account_id, action, audited, record_id, changes, created_by_id, user_id, created_at) VALUES ($1, $2, 'person', $3, $4, 1, 1, now()) RETURNING id)
    INSERT INTO events (account_id, event, record_type, record_id, person_id, payload, created_at) SELECT $1, 'person.' || $2, 'person', $3, 1, jsonb_build_object('audit_line_id', line.id), now() FROM line`;
  await client.query({ name: "journal", text, values: [account, action, id, JSON.stringify(changes)] });
};

app.post("/people", async (request, reply) => {
  const body = request.body as {
    name: string;
    primary_email: string;
    organization_id: number;
    site_id: number;
    job_title: string;
  };
  const row = await save(async (client) => {
    const text = `INSERT INTO people (account_id, name, primary_email, organization_id, site_id, job_title, source, locale, time_zone, time_format_24h, send_email_notifications, show_notification_popup, created_at, updated_at)
      VALUES ($1, $2, $3, $4, $5, $6, 'bare', 'en-US', 'UTC', true, 'always', 'always', now(), now()) RETURNING id`;
    const { rows } = await client.query({
      name: "insert",
      text,
      values: [account, body.name, body.primary_email, body.organization_id, body.site_id, body.job_title],
    });
    await journal(client, "create", rows[0].id, { name: [null, body.name] });
    return (await client.query({ name: "one", text: oneQuery, values: [rows[0].id, account] })).rows[0];
  });
  return reply.code(201).send(full(row));
});

app.patch("/people/:id", async (request) => {
  const { job_title } = request.body as { job_title: string };
  const { id } = request.params as { id: string };
  const row = await save(async (client) => {
    const before = await client.query({
      name: "lock",
      text: "SELECT job_title FROM people WHERE id = $1 AND account_id = $2 FOR UPDATE",
      values: [id, account],
    });
    await client.query({
      name: "update",
      text: "UPDATE people SET job_title = $3, updated_at = now() WHERE id = $1 AND account_id = $2",
      values: [id, account, job_title],
    });
    await journal(client, "update", Number(id), { job_title: [before.rows[0].job_title, job_title] });
    return (await client.query({ name: "one", text: oneQuery, values: [id, account] })).rows[0];
  });
  return full(row);
});

await app.listen({ host: "127.0.0.1", port: 0 });
console.log((app.server.address() as { port: number }).port);
