import type { StoredItem } from "../../records/answers/kept-items.ts";
import { recordsApi } from "./records.ts";

/** The owner of an item. */
export type KeptOwner = "me" | "account" | `team:${number}`;

/** A value that the interface stores on the server: a pin, a view, a draft. */
export type KeptItem<Value> = Pick<StoredItem, "key" | "owner" | "updated_at"> &
  Partial<Pick<StoredItem, "team" | "updated_by" | "may_change">> & { value: Value };

/** The interface wrote the values itself, so they have the expected shape. */
export const keptApi = (account: string) => {
  const { call } = recordsApi(account);
  return {
    list: <Value>(kind: string) => call("GET /kept_items/:kind", { kind }) as Promise<readonly KeptItem<Value>[]>,
    get: <Value>(kind: string, key: string, owner?: string) =>
      call("GET /kept_items/:kind/:key", { kind, key, owner }) as Promise<KeptItem<Value>>,
    put: <Value extends Readonly<Record<string, unknown>>>(kind: string, key: string, value: Value, owner?: string) =>
      call("PUT /kept_items/:kind/:key", { kind, key, owner }, { value }) as Promise<KeptItem<Value>>,
    remove: (kind: string, key: string, owner?: string) => call("DELETE /kept_items/:kind/:key", { kind, key, owner }),
  };
};
