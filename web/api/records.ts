import { buildPath, type Page, type Query, type Row, readJson } from "./call.ts";
import { gather } from "./readings.ts";
import { callRest } from "./rest.ts";

/** The cursor of a relation in a Link header, as the parameter that leads there. */
function parseCursor(link: string | null, relation: string): string | null {
  const [, url] = new RegExp(`<([^>]*)>; rel="${relation}"`).exec(link ?? "") ?? [];
  if (url === undefined) return null;
  const query = new URL(url).searchParams;
  return query.get("search_after") ?? query.get("search_before");
}

export const recordsApi = (account: string) => ({
  async list<Entry = Row>(path: string, query?: Query): Promise<Page<Entry>> {
    const response = await gather(account, buildPath(path, query));
    const number = (name: string) => Number(response.headers.get(`X-Pagination-${name}`) ?? 0);
    const link = response.headers.get("Link");
    return {
      rows: (await response.json()) as Entry[],
      total: number("Total-Entries"),
      isTotalOld: response.headers.has("X-Pagination-Total-Age"),
      page: number("Current-Page"),
      perPage: number("Per-Page"),
      next: parseCursor(link, "next"),
      prev: parseCursor(link, "prev"),
    };
  },
  get: <T = Row>(path: string, query?: Query) => readJson<T>(gather(account, buildPath(path, query))),
  create: (path: string, body: unknown) => readJson<Row>(callRest(account, { method: "POST", path, body })),
  /** a question that needs a body */
  ask: <T>(path: string, body: unknown) => readJson<T>(callRest(account, { method: "POST", path, body })),
  change: <T = Row>(path: string, body: unknown) => readJson<T>(callRest(account, { method: "PATCH", path, body })),
  put: <T = Row>(path: string, body: unknown) => readJson<T>(callRest(account, { method: "PUT", path, body })),
  /** archive, trash, restore, and linking: a POST that says it all in its path */
  act: (path: string, body?: unknown) => callRest(account, { method: "POST", path, body }),
  remove: (path: string) => callRest(account, { method: "DELETE", path }),
  /** Uploads a file and answers the key to write with a record. */
  upload: async (file: File) => (await import("./upload.ts")).uploadFile(account, file),
});

export type RevisedRow = { row: Row; revision: number | null };

/** Reading and changing a record together with its revision, so that nobody overwrites anybody unknowingly. */
export const revisionsApi = (account: string) => {
  const read = async (answer: Promise<Response>): Promise<RevisedRow> => {
    const response = await answer;
    const revision = response.headers.get("X-Revision");
    return { row: (await response.json()) as Row, revision: revision === null ? null : Number(revision) };
  };
  return {
    get: (path: string) => read(gather(account, path)),
    /** `key`: the server carries out one of all calls with the same key, also across reloads of the page. */
    change: (path: string, body: unknown, revision: number | null, key: string) =>
      read(
        callRest(account, {
          ...{ method: "PATCH", path, body },
          headers: { "Idempotency-Key": key, ...(revision === null ? {} : { "If-Match": `"${revision}"` }) },
        }),
      ),
    /** Goes on although the page is closed; nobody waits for the answer. */
    changeOnLeave: (path: string, body: unknown, key: string): void =>
      void callRest(account, {
        ...{ method: "PATCH", path, body, keepalive: true },
        headers: { "Idempotency-Key": key },
      }).catch(() => {}),
  };
};
