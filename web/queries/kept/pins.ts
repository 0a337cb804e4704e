import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { useCurrentAccount } from "../../api/current-account.ts";
import { type Api, keptApi } from "../../api/index.ts";
import { showError } from "../../elements/toast.tsx";
import { changeKept, useKept } from "./kept-items.ts";

/** At most twelve: more would no longer be a shortcut. */
const most = 12;

type PinValue = { label: string; path: string; position: number };
export type Pin = PinValue & { key: string };

export const pinQueries = {
  /** The number of records in the pinned lists. */
  counts: (api: Api, pins: readonly Pin[]) =>
    queryOptions({
      queryKey: [api.account, "pin counts", ...pins.map(({ path }) => path)],
      queryFn: async () => {
        const { countPins } = await import("./pin-counts.ts");
        return countPins(
          api,
          pins.map(({ path }) => path),
        );
      },
    }),
};

const buildKey = (path: string): string => path.slice(0, 200);

/** A person's pins in the menu, in order. */
export function usePins() {
  const { account } = useCurrentAccount();
  const queries = useQueryClient();
  const { data } = useKept<PinValue>("pin");
  const pins: readonly Pin[] = (data ?? [])
    .filter(({ owner }) => owner === "me")
    .map(({ key, value }) => ({ ...value, key }))
    .sort((one, other) => one.position - other.position)
    .slice(0, most);

  const write = (pin: Pin) => {
    const { key, ...value } = pin;
    changeKept<PinValue>(queries, account.id, "pin", (items) => [
      ...items.filter((item) => item.key !== key),
      { key, owner: "me", value, updated_at: new Date().toISOString() },
    ]);
    keptApi(account.id).put("pin", key, value).catch(showError);
  };
  const remove = ({ key }: Pick<Pin, "key">) => {
    changeKept<PinValue>(queries, account.id, "pin", (items) => items.filter((item) => item.key !== key));
    keptApi(account.id).remove("pin", key).catch(showError);
  };
  const move = (pin: Pin, by: 1 | -1) => {
    const order = [...pins];
    const from = order.findIndex(({ key }) => key === pin.key);
    order.splice(from, 1);
    order.splice(from + by, 0, pin);
    for (const [position, each] of order.entries()) if (each.position !== position) write({ ...each, position });
  };
  const isPinned = (path: string): boolean => pins.some(({ key }) => key === buildKey(path));
  const toggle = (path: string, label: string) =>
    isPinned(path)
      ? remove({ key: buildKey(path) })
      : write({ key: buildKey(path), path, label, position: (pins.at(-1)?.position ?? -1) + 1 });
  return { pins, move, remove, toggle, isPinned, isFull: pins.length >= most };
}
