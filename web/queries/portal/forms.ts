import { queryOptions } from "@tanstack/react-query";
import type { Api } from "../../api/index.ts";

// The data for the portal's forms: templates, devices and people.

/** A device, with its service if it belongs to only one. The desk picks the right one of several. */
export type Device = {
  id: number;
  name: string;
  label?: string | null;
  location?: string | null;
  service?: number;
};

async function loadDevice(api: Api, id: string): Promise<Device> {
  const path = `/cis/${encodeURIComponent(id)}`;
  const [device, { rows }] = await Promise.all([
    api.get<Device>(path, { fields: "name,label,location" }),
    api.list(`${path}/service_instances`, { fields: "name", per_page: "2" }),
  ]);
  const [only] = rows.length === 1 ? rows : [];
  return { ...device, ...(only === undefined ? {} : { service: only.id }) };
}

const longAge = 300_000; // milliseconds: templates and devices rarely change

export const portalFormQueries = {
  form: (api: Api, template: number | string | null) =>
    queryOptions({
      queryKey: [api.account, "form", String(template)],
      queryFn: () => api.call("GET /portal/forms/:id", { id: template ?? "" }),
      staleTime: longAge,
    }),
  device: (api: Api, id: string | null) =>
    queryOptions({
      queryKey: [api.account, "device", id],
      queryFn: () => loadDevice(api, id ?? ""),
      staleTime: longAge,
    }),
  devices: (api: Api) =>
    queryOptions({
      queryKey: [api.account, "devices"],
      queryFn: async (): Promise<readonly Device[]> =>
        (await api.list("ci", { fields: ["name", "label"], per_page: "100" })).rows.map((device) => ({
          ...device,
          name: device.name ?? "",
        })),
      staleTime: longAge,
    }),
  people: (api: Api, text: string) =>
    queryOptions({
      queryKey: [api.account, "people", text],
      queryFn: async () => {
        const fields = ["name", "organization"] as const;
        const { rows } = await api.list("person", { at: "/people/enabled", fields, q: text, per_page: "8" });
        return rows.map((person) => ({ ...person, name: person.name ?? "" }));
      },
    }),
};
