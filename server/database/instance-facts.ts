import { randomBytes } from "node:crypto";
import type { Configuration } from "../base/configuration.ts";
import { type Database, statement } from "./database.ts";

// Chosen at the first start and kept in the database, so that every server process uses the same.

const insertFact = statement("INSERT INTO instance_facts (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING");
const selectFacts = statement("SELECT name, value FROM instance_facts");

/** The domain of nodeIDs and the secret of signatures. */
export async function loadInstanceFacts(
  database: Database,
  configuration: Configuration,
): Promise<{ domain: string; secret: string }> {
  const host = configuration.publicUrl === null ? "steward" : new URL(configuration.publicUrl).hostname;
  await database.change(insertFact, ["domain", host]);
  await database.change(insertFact, ["secret", randomBytes(32).toString("base64url")]);
  const facts = new Map((await database.read(selectFacts)).map((row) => [row[0] as string, row[1] as string]));
  return { domain: facts.get("domain") as string, secret: facts.get("secret") as string };
}
