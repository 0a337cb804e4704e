import { Invalid, type Problem } from "../../base/errors.ts";
import { isStorable } from "../../engine/kinds/kind.ts";
import { findAddressProblem } from "../../webhooks/address-filter.ts";
import { isSecureAddress } from "./guarded-fetch.ts";
import { type MappedField, mappedFields, type ProviderSettings } from "./identity-provider.ts";
import type { Providers } from "./providers-context.ts";

// Checks what administrators send.

export type Members = Readonly<Record<string, unknown>>;

type Check = (value: unknown) => boolean;

const isText =
  (maxLength: number, pattern = /\S/): Check =>
  (value) =>
    typeof value === "string" && value.length <= maxLength && pattern.test(value) && isStorable(value);
const isBoolean: Check = (value) => typeof value === "boolean";
const isDomain = isText(200, /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/i);
const isClaim = isText(120, /^[\x21-\x7e]+$/);

// biome-ignore format: a table keeps its columns
const checks: Readonly<Record<string, Check>> = {
  name:                      isText(128),
  reference:                 isText(40, /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/),
  issuer:                    isText(500),
  client_id:                 isText(500),
  client_secret:             (value) => value === null || isText(1000)(value),
  domains:                   (value) => Array.isArray(value) && value.length <= 100 && value.every(isDomain),
  scopes:                    (value) => isText(300, /^[\x21\x23-\x5b\x5d-\x7e ]+$/)(value) && (value as string).split(" ").includes("openid"),
  identifier:                (value) => value === "email" || value === "authenticationID",
  identifier_claim:          isClaim,
  claims:                    isClaimMapping,
  create_people:             isBoolean,
  organization_id:           (value) => value === null || (Number.isSafeInteger(value) && (value as number) > 0 && (value as number) < 2 ** 31),
  second_factor_by_provider: isBoolean,
  enforced:                  isBoolean,
  disabled:                  isBoolean,
};
const required = ["name", "reference", "issuer", "client_id"];

function isClaimMapping(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(
    ([field, claim]) => mappedFields.includes(field as MappedField) && (claim === "" || isClaim(claim)),
  );
}

/** Throws when a member is unknown, not valid, or missing in a new provider. */
export async function checkMembers({ addresses }: Providers, members: Members, isNew: boolean): Promise<void> {
  const problems: Problem[] = [];
  for (const [name, value] of Object.entries(members)) {
    const isValid = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (isValid === undefined) problems.push([name, "is unknown"]);
    else if ((value === null || value === "") && required.includes(name)) problems.push([name, "can't be blank"]);
    else if (!isValid(value)) problems.push([name, "is not valid"]);
  }
  if (isNew) for (const name of required) if (!Object.hasOwn(members, name)) problems.push([name, "can't be blank"]);
  if (typeof members.issuer === "string" && !problems.some(([name]) => name === "issuer")) {
    const problem = await findIssuerProblem(addresses, members.issuer);
    if (problem !== null) problems.push(["issuer", problem]);
  }
  if (problems.length > 0) throw new Invalid(problems);
}

async function findIssuerProblem(addresses: Providers["addresses"], issuer: string): Promise<string | null> {
  const problem = await findAddressProblem(addresses, issuer);
  if (problem !== null) return problem;
  if (!isSecureAddress(issuer)) return "must begin with https://";
  const { search, hash } = new URL(issuer);
  return search !== "" || hash !== "" ? "must not have a query" : null;
}

const settingNames: readonly (keyof ProviderSettings)[] = [
  ...(["scopes", "identifier", "identifier_claim", "create_people"] as const),
  ...(["organization_id", "second_factor_by_provider"] as const),
];

/** The settings after a change; claims that are not named keep their value. */
export function mergeSettings(before: ProviderSettings, members: Members): ProviderSettings {
  const changed = settingNames.filter((name) => Object.hasOwn(members, name)).map((name) => [name, members[name]]);
  const claims = { ...before.claims, ...(members.claims as Partial<ProviderSettings["claims"]> | undefined) };
  return { ...before, ...Object.fromEntries(changed), claims };
}
