import { queryOptions } from "@tanstack/react-query";
import type { Mail, ReceivedMail } from "../../api/administration.ts";
import type { Api } from "../../api/index.ts";

export const emailQueries = {
  sent: (api: Api) =>
    queryOptions({
      queryKey: [api.account, "mails"],
      queryFn: async () => (await api.list<Mail>("/mails", { per_page: "100" })).rows,
    }),
  received: (api: Api) =>
    queryOptions({
      queryKey: [api.account, "received mails"],
      queryFn: async () => (await api.list<ReceivedMail>("/received_mails", { per_page: "100" })).rows,
    }),
  policy: (api: Api) =>
    queryOptions({ queryKey: [api.account, "email policy"], queryFn: () => api.call("GET /email_policy", {}) }),
  wordings: (api: Api) =>
    queryOptions({ queryKey: [api.account, "mail wordings"], queryFn: () => api.call("GET /mail_wordings", {}) }),
};
