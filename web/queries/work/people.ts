import { queryOptions } from "@tanstack/react-query";
import type { Api } from "../../api/index.ts";

type Id = number | string;

export const peopleQueries = {
  /** Searches all people by name. */
  search: (api: Api, text: string) =>
    queryOptions({
      queryKey: [api.account, "people", text],
      queryFn: async () => {
        const fields = ["name", "primary_email", "organization", "site", "job_title", "picture_uri"] as const;
        const words = text === "" ? {} : { q: text };
        return (await api.list("person", { fields, ...words, disabled: "false", per_page: "20" })).rows;
      },
      staleTime: 60_000,
    }),
  /** A requester with their contact details. */
  requester: (api: Api, id: Id) =>
    queryOptions({
      queryKey: [api.account, "requester", String(id)],
      queryFn: async () => {
        const fields = ["name", "vip", "job_title", "location", "organization", "site", "picture_uri"] as const;
        const [found, contacts] = await Promise.all([
          api.get<RequesterFacts>(`/people/${id}`, { fields: fields.join() }),
          api
            .list("contact", { at: `/people/${id}/contacts`, fields: ["telephone"], per_page: "20" })
            .catch(() => null),
        ]);
        const telephone = contacts?.rows.find((row) => typeof row.telephone === "string" && row.telephone !== "");
        return { ...found, telephone: telephone?.telephone ?? "" };
      },
      staleTime: 300_000,
      retry: false,
    }),
};

type NamedRecord = { id: number; name?: string };
type RequesterFacts = {
  name: string;
  vip?: boolean;
  job_title?: string | null;
  location?: string | null;
  organization?: NamedRecord | null;
  site?: NamedRecord | null;
  picture_uri?: string | null;
};
