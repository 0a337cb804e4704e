import { queryOptions } from "@tanstack/react-query";
import type { Api } from "../../api/index.ts";
import { privacyApi } from "../../api/privacy.ts";

export const privacyQueries = {
  jobs: (api: Api) =>
    queryOptions({
      queryKey: [api.account, "privacy jobs"],
      queryFn: () => privacyApi(api.account).jobs({ per_page: "20" }),
    }),
  periods: (api: Api) =>
    queryOptions({ queryKey: [api.account, "retention"], queryFn: () => privacyApi(api.account).periods() }),
  storedData: (api: Api, person: number | null) =>
    queryOptions({
      queryKey: [api.account, "stored data", person],
      queryFn: () => privacyApi(api.account).storedData(person ?? 0),
      enabled: person !== null,
      retry: false,
    }),
};
