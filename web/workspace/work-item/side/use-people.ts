import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useCurrentAccount } from "../../../api/current-account.ts";
import { peopleQueries } from "../../../queries/work/people.ts";

/**
 * People by words of their name, however many there are. `keeps`: the result for fewer letters remains until the next one
 * arrives; the caller has to filter it.
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
