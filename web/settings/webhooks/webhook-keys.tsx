import { Button, NumberInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { webhookPolicy } from "../../../records/settings/webhook-policy.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { ApiError, type Row } from "../../api/index.ts";
import { linkTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { useFormDraft } from "../../drafts/use-form-draft.ts";
import { showError } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { RestoredDraft } from "../../parts/forms/restored-draft.tsx";
import { Secret } from "../../parts/forms/secret.tsx";
import { PageBar } from "../../parts/page-bar.tsx";
import { PageTabs } from "../../parts/page-tabs.tsx";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { Forbidden } from "../../parts/states/forbidden.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { Timestamp } from "../../parts/timestamp.tsx";
import { useList } from "../../queries/index.ts";
import { webhookQueries } from "../../queries/settings/webhooks.ts";
import { listWebhookTabs } from "./all-deliveries.tsx";
import { Verifier } from "./delivery-panel.tsx";
import "../../styles/settings/developers.css";

/** The keys that sign messages, their rotation, and code that verifies signatures. */
export function WebhookKeysScreen() {
  const { account } = useCurrentAccount();
  const { data, error, refetch } = useList("/webhook_policies", {
    fields: "id,name,jwt_alg,created_at",
    per_page: "100",
  });
  if (error instanceof ApiError && error.status === 403) return <Forbidden type={webhookPolicy} />;
  return (
    <div className="page">
      <PageBar
        title={t("webhookKeys.title")}
        actions={
          <Button size="sm" {...linkTo(paths.create(account.id, webhookPolicy))}>
            {t("webhookKeys.new")}
          </Button>
        }
      >
        <PageTabs label={t("webhooks.title")} tabs={listWebhookTabs(account.id)} active="keys" />
      </PageBar>
      <div className="page-body sandbox-page">
        {error !== null ? (
          <ErrorPanel error={error} retry={() => void refetch()} />
        ) : data === undefined ? (
          <SkeletonRows rows={6} />
        ) : data.rows.length === 0 ? (
          <EmptyState title={t("webhookKeys.none")} lead={t("webhookKeys.lead")} />
        ) : (
          data.rows.map((policy) => <PolicyCard key={policy.id} policy={policy} />)
        )}
      </div>
    </div>
  );
}

export function PolicyCard({ policy }: { policy: Row }) {
  const { api } = useCurrentAccount();
  const queries = useQueryClient();
  const { values, change, draft } = useFormDraft<{ overlap: number | string }>(`settings/key-rotation/${policy.id}`, {
    overlap: 24,
  });
  const [secret, setSecret] = useState<string | null>(null);
  const alg = String(policy.jwt_alg);
  const { id } = policy;
  const rotation = webhookQueries.keyRotation(api, id);
  const { data } = useQuery({ ...rotation, enabled: alg !== "none" });
  const act = useMutation({
    mutationFn: async (what: "start" | "use" | "cancel") => {
      const overlap_hours = Number(values.overlap);
      if (what === "start")
        return (await api.call("POST /webhook_policies/:id/rotation", { id }, { overlap_hours })).public_key_pem;
      await (what === "use"
        ? api.call("PATCH /webhook_policies/:id/rotation", { id })
        : api.call("DELETE /webhook_policies/:id/rotation", { id }));
      return null;
    },
    onSuccess: async (newKey) => {
      setSecret(newKey);
      draft.remove();
      await queries.invalidateQueries({ queryKey: rotation.queryKey });
    },
    onError: showError,
  });
  return (
    <section className="sandbox-card">
      <div className="sandbox-head">
        <h2 className="wrap">
          {String(policy.name).slice(0, 12)}… <code>{alg.toUpperCase()}</code>
        </h2>
        {data !== undefined && (
          <p className="log-note">
            {t("webhookKeys.inUse")} <code>{data.key_id.slice(0, 8)}</code>
            {data.next_from !== null && (
              <>
                {" · "}
                {t("webhookKeys.next")} <code>{data.next_key_id?.slice(0, 8)}</code>, <Timestamp at={data.next_from} />
              </>
            )}
          </p>
        )}
        {secret !== null && (
          <>
            <p>{t("webhookKeys.shownOnce")}</p>
            <Secret name={t("webhookKeys.newKey")} value={secret} />
          </>
        )}
        {alg !== "none" && (
          <div className="sandbox-controls">
            {data?.next_from == null ? (
              <>
                <NumberInput
                  label={t("webhookKeys.overlap")}
                  size="xs"
                  min={0}
                  max={720}
                  allowDecimal={false}
                  value={values.overlap}
                  onChange={(overlap) => change({ overlap })}
                />
                <Button size="xs" loading={act.isPending} onClick={() => act.mutate("start")}>
                  {t("webhookKeys.rotate")}
                </Button>
                <RestoredDraft draft={draft} onDiscard={draft.remove} />
              </>
            ) : (
              <>
                <Button size="xs" loading={act.isPending} onClick={() => act.mutate("use")}>
                  {t("webhookKeys.useNow")}
                </Button>
                <Button size="xs" variant="default" loading={act.isPending} onClick={() => act.mutate("cancel")}>
                  {t("webhookKeys.giveUp")}
                </Button>
              </>
            )}
          </div>
        )}
      </div>
      {alg !== "none" && (
        <details className="sandbox-message">
          <summary>
            <b>{t("webhookOverview.verify")}</b>
          </summary>
          <Verifier alg={alg} />
        </details>
      )}
    </section>
  );
}
