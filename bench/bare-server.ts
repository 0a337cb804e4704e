import Fastify from "fastify";
import pg from "pg";

// The measure to hold ours against: a hand-written server that answers the same JSON from the same tables and does
// nothing else. No credentials, no rights, no validation, no filters but those of the workloads.

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 12 });
const account = "bench";
const domain = process.env.NODE_DOMAIN ?? "steward";
const buildNodeId = (type: string, id: number) => Buffer.from(`${domain}/${type}/${id}`).toString("base64url");
const formatTime = (date: Date | null) => (date === null ? null : `${date.toISOString().slice(0, 19)}+00:00`);

type Row = Record<string, never> & Record<string, unknown>;

/** What a request refers to: the column, the table, the type in the nodeID, what names it, and what else it shows. */
type Reference = { table: string; node: string; display?: string; more?: readonly string[]; plain?: boolean };
const person = { table: "people", node: "Person" };
const references: Record<string, Reference> = {
  created_by: person,
  requested_by: person,
  requested_for: person,
  organization: { table: "organizations", node: "Organization" },
  service_instance: { table: "service_instances", node: "ServiceInstance", more: ["localized_name"] },
  team: { table: "teams", node: "Team" },
  member: person,
  supplier: { table: "organizations", node: "Organization" },
  template: { table: "request_templates", node: "RequestTemplate", display: "subject" },
  workflow: { table: "workflows", node: "Workflow", display: "subject" },
  problem: { table: "problems", node: "Problem", display: "subject" },
  project: { table: "projects", node: "Project", display: "subject" },
  reservation: { table: "reservations", node: "Reservation" },
  task: { table: "tasks", node: "Task", display: "subject" },
  knowledge_article: { table: "knowledge_articles", node: "KnowledgeArticle", display: "subject" },
  feedback_on_knowledge_article: { table: "knowledge_articles", node: "KnowledgeArticle", display: "subject" },
  grouped_into: { table: "requests", node: "Req", display: "subject" },
  agile_board: { table: "agile_boards", node: "AgileBoard" },
  agile_board_column: { table: "agile_board_columns", node: "AgileBoardColumn", plain: true },
  product_backlog: { table: "product_backlogs", node: "ProductBacklog" },
};
const ci = { table: "cis", node: "Ci", display: "label" };
const tablesWithDisabled = new Set([
  "people",
  "organizations",
  "teams",
  "agile_boards",
  "product_backlogs",
  "request_templates",
]);

const getReference = (name: string): Reference => (name === "ci" ? ci : (references[name] as Reference));

const buildJoins = (names: readonly string[]) =>
  names.map((name) => `LEFT JOIN ${references[name]?.table} ${name}_ ON ${name}_.id = r.${name}_id`).join(" ");
const buildColumns = (names: readonly string[]) =>
  names
    .map((name) => {
      const { table, display = "name", plain } = getReference(name);
      const own = [`${name}_.${display} AS ${name}_name`];
      if (!plain) own.push(`${name}_."sourceID" AS ${name}_source`);
      if (tablesWithDisabled.has(table)) own.push(`${name}_.disabled AS ${name}_disabled`);
      return own.join(", ");
    })
    .join(", ");

function buildReference(row: Row, name: string): unknown {
  const id = row[`${name}_id`] as unknown as number | null;
  if (id === null) return null;
  const { node: type, display, more = [] } = getReference(name);
  const called = row[`${name}_name`];
  return {
    id,
    ...(display === undefined ? {} : { [display]: called }),
    name: called,
    ...Object.fromEntries(more.map((member) => [member, called])),
    ...(row[`${name}_source`] == null ? {} : { sourceID: row[`${name}_source`] }),
    ...(row[`${name}_disabled`] ? { disabled: true } : {}),
    nodeID: buildNodeId(type, id),
  };
}

const allReferences = Object.keys(references);
const listReferences = ["team", "member", "grouped_into", "service_instance"];
/** The configuration item that was linked first. */
const ciJoins = `LEFT JOIN LATERAL (SELECT ci_id FROM request_cis l WHERE l.request_id = r.id ORDER BY l.place LIMIT 1) first_ci ON true
  LEFT JOIN cis ci_ ON ci_.id = first_ci.ci_id`;
const codeJoins = `LEFT JOIN closure_codes cc ON cc.id = r.closure_code_id LEFT JOIN rfc_types rt ON rt.id = r.rfc_type_id`;
const oneQuery = `SELECT r.*, cc.reference AS closure_code, rt.reference AS rfc_type, first_ci.ci_id,
  ${buildColumns([...allReferences, "ci"])},
  (SELECT json_agg(f.*) FROM attachments f WHERE f.record_id = r.id AND f.record_type = 'request') AS attachments
  FROM requests r ${codeJoins} ${buildJoins(allReferences)} ${ciJoins} WHERE r.id = $1 AND r.account_id = $2`;

const plainFields = [
  "subject category impact status completion_reason closure_code rfc_type major_incident_status supplier_requestID grouping",
  "agile_board_column_position product_backlog_position addressed reviewed urgent planned_effort assignment_count reopen_count",
  "new_assignment provider_not_accountable provider_was_not_accountable resolution_duration next_target_at satisfaction",
  "summary checked_items custom_fields source sourceID",
]
  .join(" ")
  .split(" ");
const datetimeFields =
  "waiting_until desired_completion_at downtime_start_at downtime_end_at completed_at response_target_at resolution_target_at requester_resolution_target_at created_at updated_at".split(
    " ",
  );

function buildRequest(row: Row): Record<string, unknown> {
  const request: Record<string, unknown> = { id: row.id, nodeID: buildNodeId("Req", row.id as unknown as number) };
  for (const name of plainFields) request[name] = row[name];
  for (const name of [...allReferences, "ci"]) request[name] = buildReference(row, name);
  for (const name of datetimeFields) request[name] = formatTime(row[name] as unknown as Date | null);
  request.feedback = null;
  request.attachments = row.attachments ?? [];
  return request;
}

const buildListRow = (row: Row) => ({
  id: row.id,
  nodeID: buildNodeId("Req", row.id as unknown as number),
  sourceID: row.sourceID,
  subject: row.subject,
  category: row.category,
  impact: row.impact,
  status: row.status,
  next_target_at: row.next_target_at,
  completed_at: formatTime(row.completed_at as unknown as Date | null),
  team: buildReference(row, "team"),
  member: buildReference(row, "member"),
  grouped_into: buildReference(row, "grouped_into"),
  service_instance: buildReference(row, "service_instance"),
  created_at: formatTime(row.created_at as unknown as Date),
  updated_at: formatTime(row.updated_at as unknown as Date),
});

const columns = `r.id, r."sourceID", r.subject, r.category, r.impact, r.status, r.next_target_at, r.completed_at, r.team_id, r.member_id, r.grouped_into_id, r.service_instance_id, r.created_at, r.updated_at, ${buildColumns(listReferences)}`;
const app = Fastify();

app.get("/requests/:id", async (request) => {
  const { rows } = await pool.query({
    name: "one",
    text: oneQuery,
    values: [(request.params as { id: string }).id, account],
  });
  return buildRequest(rows[0]);
});

app.get("/requests/open", async (request) => {
  const { team } = request.query as { team: string };
  const text = `SELECT ${columns} FROM requests r ${buildJoins(listReferences)} WHERE r.account_id = $1 AND r.life_cycle = 'active' AND r.status <> 'completed' AND r.team_id = $2 ORDER BY r.id DESC LIMIT 25`;
  const { rows } = await pool.query({ name: "newest", text, values: [account, team] });
  return rows.map(buildListRow);
});

app.get("/requests", async (request, reply) => {
  const { status, updated_at } = request.query as { status: string; updated_at: string };
  const [from, to] = updated_at.slice(2).split("<=");
  const where =
    "r.account_id = $1 AND r.life_cycle = 'active' AND r.status = ANY($2::text[]) AND r.updated_at >= $3 AND r.updated_at <= $4";
  const values = [account, status.split(","), from, to];
  const [page, total] = await Promise.all([
    pool.query({
      name: "filtered",
      text: `SELECT ${columns} FROM requests r ${buildJoins(listReferences)} WHERE ${where} ORDER BY r.updated_at, r.id LIMIT 100`,
      values,
    }),
    pool.query({ name: "total", text: `SELECT count(*)::integer AS count FROM requests r WHERE ${where}`, values }),
  ]);
  reply.header("X-Pagination-Total-Entries", total.rows[0].count);
  return page.rows.map(buildListRow);
});

const graphReferences = ["team", "member", "requested_by", "requested_for", "organization", "service_instance"];
const graphNames = ["team", "member", "requestedBy", "requestedFor", "organization", "serviceInstance"];
const graphColumns = graphReferences.map((name) => `r.${name}_id, ${name}_.name AS ${name}_name`).join(", ");

/** What the workload asks of the graph, without looking at its document. */
app.post("/graphql", async (request) => {
  const { team } = (request.body as { variables: { team: number } }).variables;
  const text = `SELECT r.id, r.subject, r.category, r.impact, r.status, r.created_at, ${graphColumns} FROM requests r ${buildJoins(graphReferences)} WHERE r.account_id = $1 AND r.life_cycle = 'active' AND r.status <> 'completed' AND r.team_id = $2 ORDER BY r.id DESC LIMIT 25`;
  const { rows } = await pool.query({ name: "graph", text, values: [account, team] });
  const notes = await pool.query({
    name: "graph notes",
    text: `SELECT n.* FROM unnest($1::integer[]) AS p (id) CROSS JOIN LATERAL (SELECT n.id, n.request_id, n.text, n.created_at, n.person_id, w.name FROM notes n LEFT JOIN people w ON w.id = n.person_id WHERE n.request_id = p.id AND n.account_id = $2 ORDER BY n.id DESC LIMIT 3) n ORDER BY n.id`,
    values: [rows.map(({ id }) => id), account],
  });
  const notesOf = new Map<number, unknown[]>(rows.map(({ id }) => [id, []]));
  for (const note of notes.rows)
    notesOf.get(note.request_id)?.push({
      id: buildNodeId("Note", note.id),
      text: note.text,
      createdAt: formatTime(note.created_at),
      person: note.person_id === null ? null : { id: buildNodeId("Person", note.person_id), name: note.name },
    });
  const nodes = rows.map((row) => ({
    id: buildNodeId("Req", row.id),
    requestId: String(row.id),
    subject: row.subject,
    category: row.category,
    impact: row.impact,
    status: row.status,
    createdAt: formatTime(row.created_at),
    ...Object.fromEntries(
      graphReferences.map((name, index) => {
        const id = row[`${name}_id`];
        const { node } = references[name] as Reference;
        return [graphNames[index], id === null ? null : { id: buildNodeId(node, id), name: row[`${name}_name`] }];
      }),
    ),
    notes: { nodes: notesOf.get(row.id) },
  }));
  return { data: { requests: { nodes } } };
});

/** A record, its audit line and its event in one transaction. */
async function inTransaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
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

const writeAuditAndEvent = async (client: pg.PoolClient, action: string, id: number, changes: unknown) => {
  const text = `WITH line AS (INSERT INTO audit_lines (account_id, action, audited, record_id, changes, created_by_id, user_id, created_at) VALUES ($1, $2, 'request', $3, $4, 1, 1, now()) RETURNING id)
    INSERT INTO events (account_id, event, record_type, record_id, person_id, payload, created_at) SELECT $1, 'request.' || $2, 'request', $3, 1, jsonb_build_object('audit_line_id', line.id), now() FROM line`;
  await client.query({ name: "journal", text, values: [account, action, id, JSON.stringify(changes)] });
};

type CreateBody = { subject: string; impact: string; requested_for_id: number; service_instance_id: number };

app.post("/requests", async (request, reply) => {
  const body = request.body as CreateBody;
  const row = await inTransaction(async (client) => {
    const facts = await client.query({
      name: "facts",
      text: "SELECT p.organization_id, i.first_line_team_id FROM people p, service_instances i WHERE p.id = $1 AND i.id = $2 AND p.account_id = $3",
      values: [body.requested_for_id, body.service_instance_id, account],
    });
    const text = `INSERT INTO requests (account_id, subject, category, impact, status, created_by_id, requested_by_id, requested_for_id, organization_id, service_instance_id, team_id, grouping, addressed, reviewed, urgent, assignment_count, reopen_count, new_assignment, provider_not_accountable, provider_was_not_accountable, next_target_at, source, created_at, updated_at)
      VALUES ($1, $2, 'incident', $3, 'assigned', 1, $4, $4, $5, $6, $7, 'none', false, false, false, 1, 0, true, false, false, 'best_effort', 'bare', now(), now()) RETURNING id`;
    const { organization_id, first_line_team_id } = facts.rows[0];
    const { rows } = await client.query({
      name: "insert",
      text,
      values: [
        account,
        body.subject,
        body.impact,
        body.requested_for_id,
        organization_id,
        body.service_instance_id,
        first_line_team_id,
      ],
    });
    await client.query({
      name: "affected",
      text: `INSERT INTO affected_slas (account_id, request_id, sla_id, service_instance_id, accountability, impact, started_at, created_at, updated_at)
        SELECT $1, $2, id, service_instance_id, 'provider', $4, now(), now(), now() FROM slas WHERE account_id = $1 AND service_instance_id = $3 AND status = 'active'`,
      values: [account, rows[0].id, body.service_instance_id, body.impact],
    });
    await writeAuditAndEvent(client, "create", rows[0].id, { subject: [null, body.subject] });
    return (await client.query({ name: "one", text: oneQuery, values: [rows[0].id, account] })).rows[0];
  });
  return reply.code(201).send(buildRequest(row));
});

app.patch("/requests/:id", async (request) => {
  const { status } = request.body as { status: string };
  const { id } = request.params as { id: string };
  const row = await inTransaction(async (client) => {
    const before = await client.query({
      name: "lock",
      text: "SELECT status FROM requests WHERE id = $1 AND account_id = $2 FOR UPDATE",
      values: [id, account],
    });
    await client.query({
      name: "update",
      text: "UPDATE requests SET status = $3, updated_at = now() WHERE id = $1 AND account_id = $2",
      values: [id, account, status],
    });
    await writeAuditAndEvent(client, "update", Number(id), { status: [before.rows[0].status, status] });
    return (await client.query({ name: "one", text: oneQuery, values: [id, account] })).rows[0];
  });
  return buildRequest(row);
});

await app.listen({ host: "127.0.0.1", port: 0 });
console.log((app.server.address() as { port: number }).port);
