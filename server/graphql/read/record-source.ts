import { buildNodeId } from "../../engine/read/node-id.ts";
import type { Type, Types } from "../../engine/types.ts";

/** A record as the resolvers of its fields see it. `data`: members of the REST record, as far as they were selected. */
export type RecordSource = {
  type: Type;
  id: number | string;
  data: Readonly<Record<string, unknown>>;
  /** false: a reference to a record that the caller may not read shows what a reference shows, and nothing else */
  isReadable: boolean;
};

type Reviver = (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown;

/** A number as it was written: PostgreSQL's decimals have more digits than a float. */
const keepDigits: Reviver = (_key, value, context) =>
  typeof value === "number" && /[.eE]/.test(context.source ?? "")
    ? (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(context.source as string)
    : value;

const parseJson = (json: string): unknown =>
  /\d\.\d/.test(json) ? JSON.parse(json, keepDigits as (key: string, value: unknown) => unknown) : JSON.parse(json);

const buildSource = (type: Type, data: Record<string, unknown>): RecordSource => ({
  type,
  id: data.id as number | string,
  data,
  isReadable: true,
});

export const parseRecord = (type: Type, json: string): RecordSource =>
  buildSource(type, parseJson(json) as Record<string, unknown>);

/** Many records are parsed faster as one text. */
export const parseRecords = (type: Type, rows: readonly { json: string }[]): RecordSource[] =>
  (parseJson(`[${rows.map(({ json }) => json).join(",")}]`) as Record<string, unknown>[]).map((data) =>
    buildSource(type, data),
  );

/** The JSON of most records and references has the nodeID already. */
export const getNodeId = ({ type, id, data }: RecordSource, domain: string): string =>
  type.routes.singleton
    ? String(id)
    : typeof data.nodeID === "string"
      ? data.nodeID
      : buildNodeId(domain, type.nodeType, id);

/** The type and the id that a nodeID names; null: none of this installation. */
export function parseNodeId(text: string, domain: string, types: Types): { type: Type; id: number } | null {
  if (!/^[A-Za-z0-9_-]{8,200}$/.test(text)) return null;
  const decoded = Buffer.from(text, "base64url").toString("utf8");
  if (!decoded.startsWith(`${domain}/`)) return null;
  const match = /^([A-Za-z]+)\/(\d{1,10})$/.exec(decoded.slice(domain.length + 1));
  const type = types.all.find(({ nodeType, routes }) => nodeType === match?.[1] && !routes.singleton);
  const id = Number(match?.[2]);
  return type === undefined || id < 1 || id > 2_147_483_647 ? null : { type, id };
}

/** An id of a place whose type is clear: a nodeID of that type, or the number of a record. Null: it names none. */
export function parseIdOf(text: string, type: Type, domain: string, types: Types): number | null {
  if (/^\d{1,10}$/.test(text)) return Number(text) >= 1 && Number(text) <= 2_147_483_647 ? Number(text) : null;
  const found = parseNodeId(text, domain, types);
  return found?.type === type ? found.id : null;
}
