import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { ciOutlook } from "../../../records/answers/assets.ts";
import type { named } from "../../../records/vocabulary/index.ts";
import { Forbidden } from "../../base/errors.ts";
import { jsonStatement, queryRows } from "../../database/rows.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import { getToday } from "../../rules/shared/current-date.ts";
import { buildIncludesPersonSql, buildInForceSql } from "../../rules/sla/coverage.ts";
import { seesAllWork } from "./open-work.ts";

// The effects of a failing configuration item: CI11. Its children fail with it, and theirs; services run on them, agreements
// promise those services, and people use the items or are covered by the agreements.

type Named = AnswerOf<typeof named>;

const maxNamed = 50;
const maxExamples = 20;
/** So deep that no plant is deeper; a circle of relations ends there. */
const maxLevels = 12;

/** The item $2 and all that depends on it, within the account $1. */
const affected = `WITH RECURSIVE below (id, level) AS (
  SELECT $2::integer, 0
  UNION SELECT CASE WHEN r.of_ci_id = b.id THEN r.ci_id ELSE r.of_ci_id END, b.level + 1
  FROM below b JOIN ci_relations r ON r.account_id = $1 AND ((r.of_ci_id = b.id AND r.relation_type = 'child') OR (r.ci_id = b.id AND r.relation_type = 'parent'))
  WHERE b.level < ${maxLevels}
),
item AS (SELECT DISTINCT c.id FROM below b JOIN cis c ON c.id = b.id WHERE c.account_id = $1 AND c.life_cycle = 'active'),
instance AS (SELECT DISTINCT i.id, i.name, i.service_id FROM service_instance_cis l JOIN item ON item.id = l.ci_id
  JOIN service_instances i ON i.id = l.service_instance_id WHERE i.account_id = $1)`;

const countItems = jsonStatement<{ count: number }>(`${affected} SELECT count(*)::integer AS count FROM item`);
const selectServices = jsonStatement<Named>(
  `${affected} SELECT DISTINCT s.id, s.name FROM instance i JOIN services s ON s.id = i.service_id ORDER BY s.name, s.id LIMIT ${maxNamed}`,
);
const selectInstances = jsonStatement<Named>(
  `${affected} SELECT id, name FROM instance ORDER BY name, id LIMIT ${maxNamed}`,
);
const inForce = `SELECT s.* FROM slas s WHERE s.account_id = $1 AND s.service_instance_id IN (SELECT id FROM instance) AND ${buildInForceSql("$3")}`;
const selectSlas = jsonStatement<Named>(
  `${affected}, sla AS (${inForce}) SELECT id, name FROM sla ORDER BY name, id LIMIT ${maxNamed}`,
);
const people = `${affected}, sla AS (${inForce}),
person AS (SELECT q.id, q.name FROM people q WHERE NOT q.disabled AND q.life_cycle = 'active' AND (
  EXISTS (SELECT 1 FROM ci_users u JOIN item ON item.id = u.ci_id WHERE u.person_id = q.id)
  OR EXISTS (SELECT 1 FROM sla s WHERE (q.account_id = s.account_id OR q.account_id = $4 OR q.account_id = s.customer_account_id) AND ${buildIncludesPersonSql("q.id")})))`;
const selectPeople = jsonStatement<Named & { count: number }>(
  `${people} SELECT id, name, (count(*) OVER ())::integer AS count FROM person ORDER BY name, id LIMIT ${maxExamples}`,
);

export async function loadCiOutlook(engine: Engine, by: Caller, id: number): Promise<AnswerOf<typeof ciOutlook>> {
  if (!seesAllWork(engine, by)) throw new Forbidden();
  const { database } = engine;
  const item = [by.account, id];
  const onDay = [...item, getToday(by)];
  const [counted, services, instances, slas, examples] = await Promise.all([
    queryRows(database, countItems, item),
    queryRows(database, selectServices, item),
    queryRows(database, selectInstances, item),
    queryRows(database, selectSlas, onDay),
    queryRows(database, selectPeople, [...onDay, by.accountRecord.directory ?? by.account]),
  ]);
  return {
    items: counted[0]?.count ?? 0,
    services,
    service_instances: instances,
    slas,
    people: {
      count: examples[0]?.count ?? 0,
      examples: examples.map(({ id: person, name }) => ({ id: person, name })),
    },
  };
}
