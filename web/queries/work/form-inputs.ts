import { queryOptions } from "@tanstack/react-query";
import type { Api } from "../../api/index.ts";

type Id = number | string;
type Form = { localized_html?: string | null; html?: string | null };

export const formQueries = {
  /** The HTML of a UI extension, or of a request template's extension; "" if there is none. */
  html: (api: Api, extension: Id | null, template: Id | null) =>
    queryOptions({
      queryKey: [api.account, "form inputs", String(extension ?? ""), String(template ?? "")],
      queryFn: async (): Promise<string> => {
        const found = extension ?? (template === null ? null : await findExtension(api, template));
        if (found === null) return "";
        const form = await api.get<Form>(`/ui_extensions/${found}`, { fields: "html,localized_html" });
        return form.localized_html ?? form.html ?? "";
      },
      staleTime: 300_000,
      retry: false,
    }),
};

async function findExtension(api: Api, template: Id): Promise<Id | null> {
  const path = `/request_templates/${template}`;
  const { ui_extension } = await api.get<{ ui_extension: { id: Id } | null }>(path, { fields: "ui_extension" });
  return ui_extension?.id ?? null;
}
