import type { RecordTypes, TypeName } from "../../records/index.ts";
import type { RecordOf } from "../../records/vocabulary/index.ts";
import { findEntry } from "../base/type-index.ts";
import { buildPath, type Page, type Query, type Row, readBody, readJson } from "./call.ts";
import { type CallOf, callOperation, type DeclaredKey } from "./operations.ts";
import { gather } from "./readings.ts";
import { callRest } from "./rest.ts";

/** The cursor of a relation in a Link header. */
function parseCursor(link: string | null, relation: string): string | null {
  const [, url] = new RegExp(`<([^>]*)>; rel="${relation}"`).exec(link ?? "") ?? [];
  if (url === undefined) return null;
  const query = new URL(url).searchParams;
  return query.get("search_after") ?? query.get("search_before");
}

type RecordNamed<N extends TypeName> = RecordOf<RecordTypes[N]>;
export type FieldNamed<N extends TypeName> = keyof RecordNamed<N> & string;
/** The requested fields, filters and order; `at`: the path of a list other than the type's own. */
export type ListQuery<F extends string = string> = {
  readonly fields: readonly F[];
  readonly at?: string;
  readonly [parameter: string]: string | number | boolean | undefined | readonly F[];
};

export const collectionPath = (type: string): string => `/${findEntry(type)?.collection ?? type}`;

export function recordsApi(account: string) {
  /** `get("request", 7)` returns the type's fields; for a path the caller states the type. */
  function get<N extends TypeName>(type: N, id: number | string): Promise<RecordNamed<N>>;
  function get<T = Row>(path: string, query?: Query): Promise<T>;
  function get(typeOrPath: string, idOrQuery?: Query | number | string): Promise<unknown> {
    const path =
      typeof idOrQuery === "object" || idOrQuery === undefined
        ? buildPath(typeOrPath, idOrQuery)
        : `${collectionPath(typeOrPath)}/${encodeURIComponent(idOrQuery)}`;
    return readJson(gather(account, path));
  }

  /** `list("risk", { fields: ["subject", "status"], sort: "-id" })`: rows with the requested fields. */
  function list<N extends TypeName, const F extends FieldNamed<N>>(
    type: N,
    query: ListQuery<F>,
  ): Promise<Page<Pick<RecordNamed<N>, F | "id">>>;
  function list<Entry = Row>(path: string, query?: Query): Promise<Page<Entry>>;
  function list(typeOrPath: string, query: Query | ListQuery = {}): Promise<Page<unknown>> {
    const { at, ...parameters } = query;
    const path = typeOrPath.startsWith("/") ? typeOrPath : (at ?? collectionPath(typeOrPath));
    return readPage(gather(account, buildPath(String(path), parameters)));
  }

  return {
    account,
    get,
    list,
    /** a declared operation: `call("GET /agile_boards/:id/items", { id: 7 })` */
    call: <K extends DeclaredKey>(...call: CallOf<K>) => callOperation<K>(account, ...call),
    create: (path: string, body: unknown) => readJson<Row>(callRest(account, { method: "POST", path, body })),
    /** a query that needs a body */
    ask: <T>(path: string, body: unknown) => readJson<T>(callRest(account, { method: "POST", path, body })),
    change: <T = Row>(path: string, body: unknown) => readJson<T>(callRest(account, { method: "PATCH", path, body })),
    put: <T = Row>(path: string, body: unknown) => readJson<T>(callRest(account, { method: "PUT", path, body })),
    /** archive, trash, restore and link: a POST without a body */
    act: (path: string, body?: unknown) => callRest(account, { method: "POST", path, body }),
    remove: (path: string) => callRest(account, { method: "DELETE", path }),
    /** Uploads a file and returns the key to save with a record. */
    upload: async (file: File) => (await import("./upload.ts")).uploadFile(account, file),
  };
}

async function readPage(call: Promise<Response>): Promise<Page<unknown>> {
  const response = await call;
  const number = (name: string) => Number(response.headers.get(`X-Pagination-${name}`) ?? 0);
  const link = response.headers.get("Link");
  return {
    rows: await readBody(response),
    total: number("Total-Entries"),
    isTotalOld: response.headers.has("X-Pagination-Total-Age"),
    page: number("Current-Page"),
    perPage: number("Per-Page"),
    next: parseCursor(link, "next"),
    prev: parseCursor(link, "prev"),
  };
}

export type Api = ReturnType<typeof recordsApi>;

export type RevisedRow = { row: Row; revision: number | null };

/**
 * Reads and changes a record together with its revision, so that no one unknowingly overwrites another person's change.
 */
export const revisionsApi = (account: string) => {
  const read = async (answer: Promise<Response>): Promise<RevisedRow> => {
    const response = await answer;
    const revision = response.headers.get("X-Revision");
    return { row: await readBody(response), revision: revision === null ? null : Number(revision) };
  };
  return {
    get: (path: string) => read(gather(account, path)),
    /** `key`: the server executes only one of all calls with the same key, also across reloads of the page. */
    change: (path: string, body: unknown, revision: number | null, key: string) =>
      read(
        callRest(account, {
          ...{ method: "PATCH", path, body },
          headers: { "Idempotency-Key": key, ...(revision === null ? {} : { "If-Match": `"${revision}"` }) },
        }),
      ),
    /** Continues after the page is closed; the response is ignored. */
    changeOnLeave: (path: string, body: unknown, key: string): void =>
      void callRest(account, {
        ...{ method: "PATCH", path, body, keepalive: true },
        headers: { "Idempotency-Key": key },
      }).catch(() => {}),
  };
};
