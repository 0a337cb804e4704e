import { Invalid, type Problem } from "../../base/errors.ts";
import { isStorable } from "../../engine/kinds/kind.ts";
import { parseScopes, type ScopeContext } from "../scopes/scope-input.ts";
import type { Scope } from "../scopes/scopes.ts";
import type { GrantType } from "./clients.ts";

// Validates the input of administrators about an application. All problems are reported together.

export type ApplicationValues = {
  name: string;
  description: string | null;
  homepage_url: string | null;
  endpoints: string[];
  grant_type: GrantType;
  scopes: Scope[];
  disabled: boolean;
  person_id: number | null;
};

/** URIs that would run as script in a page, or read local files of the person who follows them. */
const dangerousSchemes = new Set(["javascript:", "data:", "vbscript:", "file:", "blob:", "about:", "filesystem:"]);

/** Endpoints are stored as given: redirect URIs are compared with them character by character. */
function findEndpointProblem(text: string): string | null {
  if (text.length > 2000) return "is too long";
  if (!/^[\x21-\x7e]+$/.test(text)) return "must be an absolute URI without blanks";
  if (text.includes("#")) return "must not have a fragment";
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return "must be an absolute URI";
  }
  if (dangerousSchemes.has(url.protocol)) return `must not begin with ${url.protocol}`;
  if (/^https?:$/.test(url.protocol) && !/^https?:\/\/[^/]/i.test(text)) return "must name a host";
  if (url.username !== "" || url.password !== "") return "must not contain credentials";
  return null;
}

function findHomepageProblem(text: string): string | null {
  try {
    return /^https?:$/.test(new URL(text).protocol) ? null : "must begin with https:// or http://";
  } catch {
    return "must be an absolute URL";
  }
}

const splitLines = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : typeof value === "string" ? value.split(/\s+/).filter((line) => line !== "") : [];

/** Applies the input to the current values; null for a new application. */
export function parseApplication(
  input: Readonly<Record<string, unknown>>,
  current: ApplicationValues | null,
  context: ScopeContext,
): ApplicationValues {
  const problems: Problem[] = [];
  const text = (name: "name" | "description" | "homepage_url", max: number): string | null => {
    if (!(name in input)) return current?.[name] ?? null;
    const value = input[name];
    if (value === null || value === "") return null;
    if (typeof value !== "string") problems.push([name, "is not valid"]);
    else if (!isStorable(value)) problems.push([name, "contains invalid characters"]);
    else if (value.trim().length > max) problems.push([name, "is too long (maximum is {max} characters)", { max }]);
    else return value.trim() || null;
    return null;
  };
  const name = text("name", 128);
  if (name === null && !problems.some(([field]) => field === "name")) problems.push(["name", "can't be blank"]);
  const description = text("description", 65_536);
  const homepage_url = text("homepage_url", 2000);
  const homepageProblem = homepage_url === null ? null : findHomepageProblem(homepage_url);
  if (homepageProblem !== null) problems.push(["homepage_url", homepageProblem]);

  const grant_type = (current?.grant_type ?? input.grant_type) as GrantType;
  if (grant_type !== "authorization_code" && grant_type !== "client_credentials")
    problems.push(["grant_type", "must be authorization_code or client_credentials"]);
  const endpoints = "endpoints" in input ? [...new Set(splitLines(input.endpoints))] : (current?.endpoints ?? []);
  for (const endpoint of endpoints) {
    const problem = typeof endpoint === "string" ? findEndpointProblem(endpoint) : "must be text";
    if (problem !== null) problems.push(["endpoints", problem]);
  }
  if (grant_type === "authorization_code" && endpoints.length === 0) problems.push(["endpoints", "can't be blank"]);
  if (endpoints.length > 50) problems.push(["endpoints", "are too many (at most 50)"]);

  let scopes = current?.scopes ?? [];
  try {
    if ("scopes" in input) scopes = parseScopes(input.scopes, context);
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    problems.push(...error.problems);
  }
  const disabled = "disabled" in input ? input.disabled : (current?.disabled ?? false);
  if (typeof disabled !== "boolean") problems.push(["disabled", "must be true or false"]);
  if (problems.length > 0) throw new Invalid(problems);
  return {
    name: name as string,
    description,
    homepage_url,
    endpoints: grant_type === "authorization_code" ? (endpoints as string[]) : [],
    grant_type,
    scopes,
    disabled: disabled as boolean,
    person_id: current?.person_id ?? null,
  };
}
