import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useCurrentAccount } from "../../../api/current-account.ts";
import { peopleQueries } from "../../../queries/work/people.ts";

/**
 * Searches all people by name. `keeps`: the result for fewer letters is kept until the next one arrives; the caller
 * must filter it.
 */
export function usePeople(text: string, { enabled = true, keeps = false } = {}) {
  const { api } = useCurrentAccount();
  const [search] = useDebouncedValue(text.trim(), 150);
  return useQuery({
    ...peopleQueries.search(api, search),
    enabled,
    ...(keeps ? { placeholderData: keepPreviousData } : {}),
  });
}
