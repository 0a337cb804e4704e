import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { useLiveEvent, useTopics } from "../../live/use-topics.ts";
import { rowQueries } from "../../queries/workspace/lists.ts";

const shortest = 1000; // milliseconds between two loads
const perPage = 300;

/** Reloads the list when records of its type change: immediately, but at a limited rate that depends on its pages. */
export function useLiveRows(type: RecordType, pages: number): void {
  const { api } = useCurrentAccount();
  const queries = useQueryClient();
  const last = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useTopics([`list/${type.name}`]);
  const reload = () => {
    timer.current = undefined;
    last.current = Date.now();
    void queries.invalidateQueries({ queryKey: rowQueries.all(api, type) });
  };
  useLiveEvent("change", (change) => {
    if (change.type !== type.name || change.kind === "note" || timer.current !== undefined) return;
    const wait = Math.max(shortest, pages * perPage) - (Date.now() - last.current);
    timer.current = setTimeout(reload, Math.max(wait, 0));
  });
  useEffect(() => () => clearTimeout(timer.current), []);
}
