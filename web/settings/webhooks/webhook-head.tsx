import { useQuery } from "@tanstack/react-query";
import { webhookPolicy } from "../../../records/settings/webhook-policy.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { DeliveryStatistics, Webhook } from "../../api/webhooks.ts";
import { settingsPaths } from "../../base/settings-paths.ts";
import { Link } from "../../elements/link.tsx";
import { tip } from "../../elements/tip.tsx";
import { t } from "../../languages/index.ts";
import { useRecord } from "../../queries/index.ts";
import { webhookQueries } from "../../queries/settings/webhooks.ts";
import { CopyIconButton } from "../developers/copy-button.tsx";
import { DeliveryFigures } from "./delivery-figures.tsx";

type Props = { webhook: Webhook; policy: number | null; figures: DeliveryStatistics | undefined };

/** A webhook's event, address, signature and recent results. */
export function WebhookHead({ webhook, policy, figures }: Props) {
  return (
    <div className="webhook-head">
      <dl className="webhook-facts">
        <dt>{t("webhookOverview.sendsTo")}</dt>
        <dd>
          <code {...tip(webhook.uri)}>{webhook.uri}</code>
          <CopyIconButton text={webhook.uri} />
        </dd>
        <dt>{t("webhooks.event")}</dt>
        <dd>
          <code>{webhook.event}</code> <OtherWebhooks webhook={webhook} />
        </dd>
        <dt>{t("webhookOverview.signed")}</dt>
        <dd>{policy === null ? t("webhookOverview.notSigned") : <PolicyName id={policy} />}</dd>
      </dl>
      <DeliveryFigures figures={figures} />
    </div>
  );
}

/** The other webhooks that send to the same server. */
function OtherWebhooks({ webhook }: { webhook: Webhook }) {
  const { account, api } = useCurrentAccount();
  const { data = [] } = useQuery(webhookQueries.list(api));
  const receiver = readOrigin(webhook.uri);
  const count = data.filter(({ id, uri }) => id !== webhook.id && readOrigin(uri) === receiver).length;
  if (count === 0) return null;
  return (
    <Link to={`${settingsPaths.allDeliveries(account.id)}?${new URLSearchParams({ receiver })}`}>
      {t("webhookOverview.otherWebhooks", { count })}
    </Link>
  );
}

/** Scheme, host and port: the common part of all webhooks to one receiver. */
export const readOrigin = (uri: string): string => (URL.canParse(uri) ? new URL(uri).origin : uri);

/** The same event to the same address. */
export const isTwin = (one: Webhook, other: Webhook): boolean => one.uri === other.uri && one.event === other.event;

function PolicyName({ id }: { id: number }) {
  const { data } = useRecord(webhookPolicy, String(id));
  if (data === undefined) return null;
  return (
    <>
      {t("webhookOverview.policy")} <code>{`${String(data.name).slice(0, 12)}…`}</code> ·{" "}
      {String(data.jwt_alg).toUpperCase()}
    </>
  );
}
