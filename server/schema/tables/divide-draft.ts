// Divides the statements of a draft into migrations that leave running servers working: immediate changes to tables, indexes that
// are built concurrently, and constraints that are validated concurrently (D-670).

export type DraftPart = { suffix: "" | "-indexes" | "-validation"; statements: string[] };

const createTablePattern = /^CREATE TABLE ("[^"]+"|\S+) /;
const createIndexPattern = /^CREATE (UNIQUE )?INDEX ("[^"]+"|\S+) ON ("[^"]+"|\S+) /;
const dropIndexPattern = /^DROP INDEX ("[^"]+"|\w+);$/;
const addConstraintPattern = /^ALTER TABLE ("[^"]+"|\S+) ADD CONSTRAINT ("[^"]+"|\S+) (?:FOREIGN KEY|CHECK)\b/;

export function divideDraft(statements: readonly string[]): DraftPart[] {
  const created = new Set(statements.map((statement) => createTablePattern.exec(statement)?.[1]));
  const [atOnce, indexes, validation]: [string[], string[], string[]] = [[], [], []];
  for (const statement of statements) {
    const index = createIndexPattern.exec(statement);
    const dropped = dropIndexPattern.exec(statement)?.[1];
    const constraint = addConstraintPattern.exec(statement);
    if (dropped !== undefined) indexes.push(`DROP INDEX CONCURRENTLY IF EXISTS ${dropped};`);
    else if (index !== null && !created.has(index[3] as string))
      indexes.push(statement.replace(/^CREATE (UNIQUE )?INDEX /, "CREATE $1INDEX CONCURRENTLY IF NOT EXISTS "));
    else if (constraint !== null && !created.has(constraint[1] as string)) {
      atOnce.push(statement.replace(/;$/, " NOT VALID;"));
      validation.push(`ALTER TABLE ${constraint[1]} VALIDATE CONSTRAINT ${constraint[2]};`);
    } else atOnce.push(statement);
  }
  const parts: DraftPart[] = [
    { suffix: "", statements: atOnce },
    { suffix: "-indexes", statements: indexes },
    { suffix: "-validation", statements: validation },
  ];
  return parts.filter((part) => part.statements.length > 0);
}
