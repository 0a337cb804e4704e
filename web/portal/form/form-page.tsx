import { useQuery } from "@tanstack/react-query";
import { portalApi } from "../../api/portal.ts";
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
    queryFn: () => api.get<Device>(`/cis/${encodeURIComponent(device as string)}`, { fields: "name,label" }),
    enabled: device !== null,
    staleTime: 300_000,
  });
  const devices = useQuery({
    queryKey: [account.id, "devices"],
    queryFn: async () => (await api.list("/cis", { fields: "name,label", per_page: "100" })).rows as Device[],
    enabled: form.data?.template.asset_selection === true,
    staleTime: 300_000,
  });
  const failed = [form, item].find(({ error, data }) => error !== null && data === undefined);
  if (failed !== undefined) return <ErrorPanel error={failed.error} retry={() => void failed.refetch()} />;
  const isReady =
    home.data !== undefined &&
    (template === null || form.data !== undefined) &&
    (device === null || item.data !== undefined) &&
    (form.data?.template.asset_selection !== true || devices.data !== undefined || devices.isError);
  if (!isReady) return <Loading rows={7} />;
  return <RequestForm form={form.data ?? null} device={item.data ?? null} devices={devices.data ?? []} />;
}
