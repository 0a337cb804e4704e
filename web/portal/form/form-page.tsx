import { useQuery } from "@tanstack/react-query";
import { useCurrentAccount } from "../../api/current-account.ts";
import { ApiError } from "../../api/index.ts";
import { portalFormQueries } from "../../queries/portal/forms.ts";
import { ErrorPanel, Loading } from "../parts/states.tsx";
import { useHome } from "../queries.ts";
import { RequestForm } from "./request-form.tsx";

/** The form of a template, of a device whose label was scanned, or a free-form request. */
export function FormPage({ template, device }: { template: string | null; device: string | null }) {
  const { api } = useCurrentAccount();
  const home = useHome();
  const form = useQuery({
    ...portalFormQueries.form(api, template),
    enabled: template !== null,
  });
  const item = useQuery({
    ...portalFormQueries.device(api, device),
    enabled: device !== null,
  });
  const devices = useQuery({
    ...portalFormQueries.devices(api),
    enabled: form.data?.template.asset_selection === true,
  });
  // People without access to a device can still report it: the number on its label identifies it.
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
