import { buildPath, readJson } from "./call.ts";
import { callSessionApi } from "./session.ts";

/** Something the interface keeps on the server: a pin, a view, a draft. */
export type KeptItem<Value> = {
  key: string;
  owner: string;
  value: Value;
  updated_at: string;
  updated_by?: { id: number; name: string | null } | null;
  team?: { id: number; name: string };
  may_change?: boolean;
};

export const keptApi = (account: string) => {
  const at = (kind: string, key?: string, owner?: string) =>
    buildPath(
      `/accounts/${encodeURIComponent(account)}/kept/${kind}${key === undefined ? "" : `/${encodeURIComponent(key)}`}`,
      owner === undefined ? {} : { owner },
    );
  return {
    list: <Value>(kind: string) => readJson<KeptItem<Value>[]>(callSessionApi("GET", at(kind))),
    get: <Value>(kind: string, key: string, owner?: string) =>
      readJson<KeptItem<Value>>(callSessionApi("GET", at(kind, key, owner))),
    put: <Value>(kind: string, key: string, value: Value, owner?: string) =>
      readJson<KeptItem<Value>>(callSessionApi("PUT", at(kind, key, owner), value)),
    remove: (kind: string, key: string, owner?: string) => callSessionApi("DELETE", at(kind, key, owner)),
  };
};

/** Tags in use whose name begins with the text. */
export const suggestTags = (account: string, text: string): Promise<string[]> =>
  readJson(callSessionApi("GET", buildPath(`/accounts/${encodeURIComponent(account)}/tags`, { text })));
