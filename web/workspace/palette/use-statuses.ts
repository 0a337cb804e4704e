import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useCurrentAccount } from "../../current-account.ts";
import { findType } from "../../record-types.ts";
import type { PaletteItem } from "./palette-items.ts";

const typingDelay = 150; // milliseconds: the rows change with every letter
const noStatuses: ReadonlyMap<string, string> = new Map();

/** The status of each record among the rows, by "type id". A search does not tell it: it is one call for each type. */
export function useStatuses(items: readonly PaletteItem[]): ReadonlyMap<string, string> {
  const { account, api } = useCurrentAccount();
  const shown = items.flatMap(({ type, number }) =>
    type === undefined || number === undefined || findType(type)?.states === null ? [] : [`${type} ${number}`],
  );
  const [wanted] = useDebouncedValue(shown.join(), typingDelay);
  const { data } = useQuery({
    queryKey: [account.id, "palette statuses", wanted],
    queryFn: async () => {
      const byType = Map.groupBy(wanted.split(","), (each) => each.split(" ")[0] ?? "");
      const lists = await Promise.all(
        [...byType].map(async ([name, members]) => {
          const type = findType(name);
          if (type === undefined || !("status" in type.fields) || !type.filterable.includes("id")) return [];
          const id = members.map((each) => each.split(" ")[1]).join();
          // What the reader may not list has no status here.
          const { rows } = await api.list(`/${type.collection}`, { id, fields: "status" }).catch(() => ({ rows: [] }));
          return rows.map((row): [string, string] => [`${name} ${row.id}`, String(row.status)]);
        }),
      );
      return new Map(lists.flat());
    },
    enabled: wanted !== "",
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });
  return data ?? noStatuses;
}
