import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useCurrentAccount } from "../../api/current-account.ts";
import { findType } from "../../base/record-types.ts";
import { type Statuses, searchQueries } from "../../queries/workspace/search.ts";
import type { PaletteItem } from "./palette-items.ts";

const typingDelay = 150; // milliseconds: the rows change with every letter
const noStatuses: Statuses = new Map();

/** The status of each record among the rows. */
export function useStatuses(items: readonly PaletteItem[]): Statuses {
  const { api } = useCurrentAccount();
  const shown = items.flatMap(({ type, number }) =>
    type === undefined || number === undefined || findType(type)?.states === null ? [] : [`${type} ${number}`],
  );
  const [wanted] = useDebouncedValue(shown.join(), typingDelay);
  return useQuery(searchQueries.statuses(api, wanted)).data ?? noStatuses;
}
