import { randomInt } from "node:crypto";
import { shortUrl } from "../../../records/configuration/short-url.ts";
import { statement } from "../../database/database.ts";
import { type Change, type ColumnComputation, rulesFor, steps } from "../../engine/rules.ts";

// CO39: a short address leads to one target.

type ShortUrlChange = Change<typeof shortUrl>;
type Field = keyof typeof shortUrl.fields;
type DataType = (typeof shortUrl.fields.data_type)["values"][number];
/** `field` makes a short address lead to such a target; `with` may be given beside it. */
type Target = { field: Field; type: DataType; with?: readonly Field[] };

// biome-ignore format: a table keeps its columns
const targets: readonly Target[] = [
  { field: "ci",                type: "ci" },
  { field: "knowledge_article", type: "knowledge_article" },
  { field: "request_template",  type: "request_template" },
  { field: "website_url",       type: "url" },
  { field: "plain_text",        type: "text" },
  { field: "tel",               type: "tel" },
  { field: "sms_tel",           type: "sms",    with: ["sms_body"] },
  { field: "email_to",          type: "mailto", with: ["email_subject", "email_body"] },
  { field: "map_address",       type: "map" },
  { field: "geo_latitude",      type: "map",    with: ["geo_longitude"] },
];
const members = targets.map(({ field }) => field).join(", ");

const listTargets = ({ after }: ShortUrlChange): Target[] => targets.filter(({ field }) => after[field] !== null);

function requireOneTarget(change: ShortUrlChange): void {
  const { after, problem } = change;
  if (listTargets(change).length !== 1) problem("base", "must have exactly one of {members}", { members });
  for (const { field, with: additions = [] } of targets)
    for (const name of additions)
      if (after[name] !== null && after[field] === null)
        problem(name, "is not valid without {member}", { member: field });
}

/** Browsers get these in a header, so that each is what its name says. */
function checkForms({ after, problem }: ShortUrlChange): void {
  const { website_url, email_to, geo_latitude, geo_longitude } = after;
  if (website_url !== null && !/^https?:$/.test(URL.parse(website_url)?.protocol ?? ""))
    problem("website_url", "is not a valid URI");
  for (const name of ["tel", "sms_tel"] as const)
    if (after[name] !== null && !/^[+\d][\d ()./*#-]*$/.test(after[name])) problem(name, "is not valid");
  if (email_to !== null && !email_to.split(",").every((each) => /^[^\s<>"@,]+@[^\s<>"@,]+$/.test(each.trim())))
    problem("email_to", "is not a valid e-mail address");
  if (geo_latitude !== null && geo_longitude === null) problem("geo_longitude", "can't be blank");
  if (geo_latitude !== null && Math.abs(geo_latitude) > 90) problem("geo_latitude", "is not valid");
  if (geo_longitude !== null && Math.abs(geo_longitude) > 180) problem("geo_longitude", "is not valid");
}

const alphabet = "abcdefghijklmnopqrstuvwxyz";
const drawLetters = (): string => Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]).join("");
// The letters name a row in any account, because their address has no account.
const selectSameLetters = statement("SELECT 1 FROM short_urls WHERE letters = $1");

async function chooseLetters({ tx, before, after }: ShortUrlChange): Promise<void> {
  if (before !== null) return;
  do after.letters = drawLetters();
  while ((await tx.query(selectSameLetters, [after.letters])).length > 0);
}

const pageCollections: Partial<Record<DataType, string>> = {
  ci: "cis",
  knowledge_article: "knowledge_articles",
  request_template: "request_templates",
};

/** The columns that decide where a short address leads, as texts. */
export type ShortUrlTarget = Record<(typeof targetColumns)[number], string | null>;
export const targetColumns = [
  ...([
    "data_type",
    "ci",
    "knowledge_article",
    "request_template",
    "website_url",
    "tel",
    "sms_tel",
    "sms_body",
  ] as const),
  ...(["email_to", "email_subject", "email_body", "map_address", "geo_latitude", "geo_longitude"] as const),
] as const satisfies readonly Field[];

const buildQuery = (parts: Readonly<Record<string, string | null>>): string => {
  const given = Object.entries(parts).filter(([, value]) => value !== null) as [string, string][];
  return given.length === 0 ? "" : `?${given.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&")}`;
};
const stripBlanks = (text: string | null): string => (text ?? "").replace(/[ ()./]/g, "");

/** The address that a short address leads to; null: it shows a text, or its record was erased. */
export function buildTargetUri(target: ShortUrlTarget, accountUrl: string): string | null {
  const type = target.data_type as DataType;
  switch (type) {
    case "url":
      return target.website_url === null ? null : (URL.parse(target.website_url)?.href ?? null);
    case "tel":
      return `tel:${stripBlanks(target.tel)}`;
    case "sms":
      return `sms:${stripBlanks(target.sms_tel)}${buildQuery({ body: target.sms_body })}`;
    case "mailto":
      return `mailto:${(target.email_to ?? "")
        .split(",")
        .map((address) => encodeURIComponent(address.trim()).replaceAll("%40", "@"))
        .join(",")}${buildQuery({ subject: target.email_subject, body: target.email_body })}`;
    case "map":
      return target.map_address === null
        ? `https://www.openstreetmap.org/${buildQuery({ mlat: target.geo_latitude, mlon: target.geo_longitude })}`
        : `https://www.openstreetmap.org/search${buildQuery({ query: target.map_address })}`;
    case "text":
      return null;
    default:
      return target[type] === null ? null : `${accountUrl}/${pageCollections[type]}/${target[type]}`;
  }
}

type BuildUrl = (origin: string, account: string) => string;

const computeUri = (buildUrl: BuildUrl): ColumnComputation => ({
  fields: targetColumns,
  compute: (columns, { origin, account }) =>
    buildTargetUri(
      Object.fromEntries(targetColumns.map((name, index) => [name, columns[index] ?? null])) as ShortUrlTarget,
      buildUrl(origin, account),
    ),
});

export const buildShortUrlRules = (buildUrl: BuildUrl) =>
  rulesFor(shortUrl, {
    beforeSave: steps(requireOneTarget, checkForms, chooseLetters),
    derive: { "kind of its target": (change) => listTargets(change)[0]?.type ?? null },
    compute: {
      "where it leads": computeUri(buildUrl),
      "address with its letters": {
        fields: ["letters"],
        compute: ([letters], { origin }) => `${origin}/s/${letters}`,
      },
    },
    conflictKeys: () => [],
  });

/** If accounts have no hosts. */
export const shortUrlRules = buildShortUrlRules((origin, account) => `${origin}/a/${account}`);
