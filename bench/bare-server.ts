import Fastify from "fastify";
import pg from "pg";

// The measure to hold ours against: the best that a good engineer would write by hand for these calls alone, against the same
// tables. It answers the same JSON and does nothing else: no credentials, no rights, no validation, no filters but those of the
// workloads. A record is read with the references that are set, a list joins what it shows, and a write is one statement.

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 12 });
const account = "bench";
const domain = process.env.NODE_DOMAIN ?? "steward";
const buildNodeId = (type: string, id: number) => Buffer.from(`${domain}/${type}/${id}`).toString("base64url");
const formatTime = (date: Date | null) => (date === null ? null : `${date.toISOString().slice(0, 19)}+00:00`);
/** A moment or a word such as best_effort, as it is stored. */
const formatTarget = (text: string | null) => (text?.endsWith("Z") ? `${text.slice(0, -1)}+00:00` : text);

type Row = Record<string, never> & Record<string, unknown>;

/** The references of a request: the table, the type in the nodeID, the naming column, and the other columns shown. */
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
const tablesWithDisabled = new Set([
  "people",
  "organizations",
  "teams",
  "agile_boards",
  "product_backlogs",
  "request_templates",
]);

const listReferences = ["team", "member", "grouped_into", "service_instance"];
const buildJoins = (names: readonly string[]) =>
  names.map((name) => `LEFT JOIN ${references[name]?.table} ${name}_ ON ${name}_.id = r.${name}_id`).join(" ");
const buildColumns = (names: readonly string[]) =>
  names
    .map((name) => {
      const { table, display = "name", plain } = references[name] as Reference;
      const own = [`${name}_.${display} AS ${name}_name`];
      if (!plain) own.push(`${name}_."sourceID" AS ${name}_source`);
      if (tablesWithDisabled.has(table)) own.push(`${name}_.disabled AS ${name}_disabled`);
      return own.join(", ");
    })
    .join(", ");

function buildReference(row: Row, name: string): unknown {
  const id = row[`${name}_id`] as unknown as number | null;
  if (id === null) return null;
  const { node, display, more } = references[name] as Reference;
  const called = row[`${name}_name`];
  const reference: Record<string, unknown> = { id, name: called };
  if (display !== undefined) reference[display] = called;
  for (const member of more ?? []) reference[member] = called;
  if (row[`${name}_source`] != null) reference.sourceID = row[`${name}_source`];
  if (row[`${name}_disabled`]) reference.disabled = true;
  reference.nodeID = buildNodeId(node, id);
  return reference;
}

// A single request: its row, and a subquery for each reference, which runs only where the column is set.
const plainFields = [
  "subject category impact status completion_reason major_incident_status supplier_requestID grouping",
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
const ci: Reference = { table: "cis", node: "Ci", display: "label" };
const shownReferences: readonly [string, Reference][] = [...Object.entries(references), ["ci", ci]];

function buildReferenceObject({ table, display = "name", more = [], plain }: Reference): string {
  const names = new Set(["name", display, ...more]);
  const members = ["'id', t.id", ...[...names].map((name) => `'${name}', t.${display}`)];
  if (!plain) members.push(`'sourceID', t."sourceID"`);
  if (tablesWithDisabled.has(table)) members.push("'disabled', t.disabled");
  return `json_build_object(${members.join(", ")})`;
}
const selectReference = (name: string, reference: Reference) =>
  `CASE WHEN r.${name}_id IS NOT NULL THEN (SELECT ${buildReferenceObject(reference)} FROM ${reference.table} t WHERE t.id = r.${name}_id) END AS "${name}"`;
const selectCode = (name: string, table: string) =>
  `CASE WHEN r.${name}_id IS NOT NULL THEN (SELECT t.reference FROM ${table} t WHERE t.id = r.${name}_id) END AS ${name}`;
const shownColumns = [
  "r.id",
  ...[...plainFields, ...datetimeFields].map((name) => `r."${name}"`),
  ...Object.entries(references).map(([name, reference]) => selectReference(name, reference)),
  selectCode("closure_code", "closure_codes"),
  selectCode("rfc_type", "rfc_types"),
  `(SELECT ${buildReferenceObject(ci)} FROM request_cis l JOIN cis t ON t.id = l.ci_id WHERE l.request_id = r.id ORDER BY l.place LIMIT 1) AS ci`,
  "(SELECT json_agg(f.*) FROM attachments f WHERE f.record_id = r.id AND f.record_type = 'request') AS attachments",
].join(", ");
const oneQuery = `SELECT ${shownColumns} FROM requests r WHERE r.id = $1 AND r.account_id = $2`;

/** The row is the answer but for moments, nodeIDs and what a reference leaves out. */
function buildRequest(row: Row): unknown {
  const request = row as Record<string, unknown>;
  request.nodeID = buildNodeId("Req", request.id as number);
  for (const [name, { node }] of shownReferences) {
    const reference = request[name] as Record<string, unknown> | null;
    if (reference === null) continue;
    if (reference.sourceID === null) delete reference.sourceID;
    if (!reference.disabled) delete reference.disabled;
    reference.nodeID = buildNodeId(node, reference.id as number);
  }
  for (const name of datetimeFields) request[name] = formatTime(request[name] as Date | null);
  request.next_target_at = formatTarget(request.next_target_at as string | null);
  request.feedback = null;
  request.attachments ??= [];
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
  next_target_at: formatTarget(row.next_target_at as unknown as string | null),
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

/** The GraphQL query of the workload, without parsing its document. */
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

// A write is one statement: the record, its audit line and its event, and the record as it is then.
const journal = (action: string, record: string, changes: string) => `line AS (
  INSERT INTO audit_lines (account_id, action, audited, record_id, changes, created_by_id, user_id, created_at)
  SELECT $1, '${action}', 'request', ${record}.id, ${changes}, 1, 1, now() FROM ${record} RETURNING id
), event AS (
  INSERT INTO events (account_id, event, record_type, record_id, person_id, payload, created_at)
  SELECT $1, 'request.${action}', 'request', ${record}.id, 1, jsonb_build_object('audit_line_id', line.id), now() FROM line, ${record}
)`;

const createQuery = `WITH created AS (
  INSERT INTO requests (account_id, subject, category, impact, status, created_by_id, requested_by_id, requested_for_id, organization_id, service_instance_id, team_id, grouping, addressed, reviewed, urgent, assignment_count, reopen_count, new_assignment, provider_not_accountable, provider_was_not_accountable, next_target_at, source, created_at, updated_at)
  SELECT $1, $2, 'incident', $3, 'assigned', 1, p.id, p.id, p.organization_id, i.id, i.first_line_team_id, 'none', false, false, false, 1, 0, true, false, false, 'best_effort', 'bare', now(), now()
  FROM people p, service_instances i WHERE p.id = $4 AND i.id = $5 AND p.account_id = $1 RETURNING *
), affected AS (
  INSERT INTO affected_slas (account_id, request_id, sla_id, service_instance_id, accountability, impact, started_at, created_at, updated_at)
  SELECT $1, created.id, s.id, s.service_instance_id, 'provider', $3, now(), now(), now() FROM created, slas s
  WHERE s.account_id = $1 AND s.service_instance_id = $5 AND s.status = 'active'
), ${journal("create", "created", "jsonb_build_object('subject', jsonb_build_array(NULL, created.subject))")}
SELECT ${shownColumns} FROM created r`;

type CreateBody = { subject: string; impact: string; requested_for_id: number; service_instance_id: number };

app.post("/requests", async (request, reply) => {
  const { subject, impact, requested_for_id, service_instance_id } = request.body as CreateBody;
  const values = [account, subject, impact, requested_for_id, service_instance_id];
  const { rows } = await pool.query({ name: "create", text: createQuery, values });
  return reply.code(201).send(buildRequest(rows[0]));
});

const changeQuery = `WITH before AS (
  SELECT id, status FROM requests WHERE id = $2 AND account_id = $1 FOR NO KEY UPDATE
), changed AS (
  UPDATE requests a SET status = $3, updated_at = now() FROM before WHERE a.id = before.id RETURNING a.*
), ${journal("update", "before", "jsonb_build_object('status', jsonb_build_array(before.status, $3::text))")}
SELECT ${shownColumns} FROM changed r`;

app.patch("/requests/:id", async (request) => {
  const { status } = request.body as { status: string };
  const values = [account, (request.params as { id: string }).id, status];
  const { rows } = await pool.query({ name: "change", text: changeQuery, values });
  return buildRequest(rows[0]);
});

await app.listen({ host: "127.0.0.1", port: 0 });
console.log((app.server.address() as { port: number }).port);
