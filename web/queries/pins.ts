import { useQueryClient } from "@tanstack/react-query";
import { keptApi } from "../api.ts";
import { useCurrentAccount } from "../current-account.ts";
import { showError } from "../parts/toast.tsx";
import { changeKept, useKept } from "./kept.ts";

/** At most twelve: more is no longer a short way. */
const most = 12;

type PinValue = { label: string; path: string; position: number };
export type Pin = PinValue & { key: string };

const keyOf = (path: string): string => path.slice(0, 200);

/** What somebody has pinned to the menu, in order. */
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
  const isPinned = (path: string): boolean => pins.some(({ key }) => key === keyOf(path));
  const toggle = (path: string, label: string) =>
    isPinned(path)
      ? remove({ key: keyOf(path) })
      : write({ key: keyOf(path), path, label, position: (pins.at(-1)?.position ?? -1) + 1 });
  return { pins, move, remove, toggle, isPinned, isFull: pins.length >= most };
}
