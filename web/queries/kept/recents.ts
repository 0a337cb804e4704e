import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { keptApi } from "../../api/index.ts";
import { changeKept, useKept } from "./kept-items.ts";

export type Recent = { type: string; id: number; subject: string };

const delay = 2000; // milliseconds: records that are only passed through don't count as visited

/** Stores that the reader has visited this record; record pages call it. */
export function useVisit(visited: Recent | null): void {
  const { account } = useCurrentAccount();
  const queries = useQueryClient();
  const { type, id, subject } = visited ?? { type: "", id: 0, subject: "" };
  useEffect(() => {
    if (type === "") return;
    const timer = setTimeout(() => {
      const key = `${type}-${id}`;
      const value: Recent = { type, id, subject };
      changeKept<Recent>(queries, account.id, "recent", (items) => [
        { key, owner: "me", value, updated_at: new Date().toISOString() },
        ...items.filter((item) => item.key !== key),
      ]);
      // Failing to store a visit is not worth an error message.
      keptApi(account.id)
        .put("recent", key, value)
        .catch(() => undefined);
    }, delay);
    return () => clearTimeout(timer);
  }, [account.id, queries, type, id, subject]);
}

/** The records visited last, newest first. */
export const useRecents = (): readonly Recent[] => (useKept<Recent>("recent").data ?? []).map(({ value }) => value);
