import { useQuery } from "@tanstack/react-query";
import { portalApi } from "../../api/portal.ts";
import { ApiError } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { ErrorPanel, Loading } from "../parts/states.tsx";
import { useHome } from "../queries.ts";
import { type Device, RequestForm } from "./request-form.tsx";

/** The form of a template, of a device whose label was scanned, or a free one. */
export function FormPage({ template, device }: { template: string | null; device: string | null }) {
  const { account, api } = useCurrentAccount();
  const home = useHome();
  const form = useQuery({
    queryKey: [account.id, "form", template],
    queryFn: () => portalApi(account.id).form(template as string),
    enabled: template !== null,
    staleTime: 300_000,
  });
  const item = useQuery({
    queryKey: [account.id, "device", device],
    queryFn: () => loadDevice(api, device as string),
    enabled: device !== null,
    staleTime: 300_000,
  });
  const devices = useQuery({
    queryKey: [account.id, "devices"],
    queryFn: async () => (await api.list("/cis", { fields: "name,label", per_page: "100" })).rows as Device[],
    enabled: form.data?.template.asset_selection === true,
    staleTime: 300_000,
  });
  // Whoever may not read a device can still say that it is broken: the number on its label says which one.
  const isUnknown = item.error instanceof ApiError && [403, 404].includes(item.error.status);
  const failed = [form, ...(isUnknown ? [] : [item])].find(({ error, data }) => error !== null && data === undefined);
  if (failed !== undefined) return <ErrorPanel error={failed.error} retry={() => void failed.refetch()} />;
  const isReady =
    home.data !== undefined &&
    (template === null || form.data !== undefined) &&
    (device === null || item.data !== undefined || isUnknown) &&
    (form.data?.template.asset_selection !== true || devices.data !== undefined || devices.isError);
  if (!isReady) return <Loading rows={7} />;
  return (
    <RequestForm
      form={form.data ?? null}
      device={item.data ?? null}
      devices={devices.data ?? []}
      unknownLabel={isUnknown ? device : null}
    />
  );
}

/** A device with the only service that it belongs to; of several, the desk picks the right one. */
async function loadDevice(api: ReturnType<typeof useCurrentAccount>["api"], id: string): Promise<Device> {
  const path = `/cis/${encodeURIComponent(id)}`;
  const [device, { rows }] = await Promise.all([
    api.get<Device>(path, { fields: "name,label,location" }),
    api.list(`${path}/service_instances`, { fields: "name", per_page: "2" }),
  ]);
  const [only] = rows.length === 1 ? rows : [];
  return { ...device, ...(only === undefined ? {} : { service: only.id }) };
}
