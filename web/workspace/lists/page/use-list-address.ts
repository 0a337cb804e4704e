import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import { targetField } from "../grid/narrow-row.tsx";
import { buildListQuery, parseAddress, type Search } from "../list-address.ts";

/** Fields that rows need in addition to their columns: the target chip uses the status, a phone shows the member. */
const neededBeside = (type: RecordType): string[] =>
  [type.display, "status", "member", "impact", targetField(type) ?? ""].filter((name) => name in type.fields);

/** The parsed address, the parameters of the API call, and a function to go to another address. */
export function useListAddress(type: RecordType) {
  const search = useSearch({ strict: false, select: (given: Search) => given });
  const navigate = useNavigate();
  const address = useMemo(() => parseAddress(type, search), [type, search]);
  const query = useMemo(() => buildListQuery(type, address, neededBeside(type)), [type, address]);
  const go = (wanted: Search, replace = false) => void navigate({ to: ".", search: wanted, replace });
  return { search, address, query, go };
}
export type ListPlace = ReturnType<typeof useListAddress>;
