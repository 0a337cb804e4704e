import IconBellPlus from "@tabler/icons-react/dist/esm/icons/IconBellPlus.mjs";
import IconCheck from "@tabler/icons-react/dist/esm/icons/IconCheck.mjs";
import IconX from "@tabler/icons-react/dist/esm/icons/IconX.mjs";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { PortalBroadcast } from "../../../records/answers/portal.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { type KeptItem, keptApi } from "../../api/index.ts";
import { markBroadcastSeen } from "../../api/live.ts";
import { Icon } from "../../elements/icon.tsx";
import { showError, showMessage } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { useLiveEvent } from "../../live/use-topics.ts";
import { useNow } from "../../parts/now.ts";
import { shownBroadcastQueries } from "../../queries/current-broadcasts.ts";
import { changeKept, keptQueries, useKept } from "../../queries/kept/kept-items.ts";
import { BannerLine } from "./banner-line.tsx";

// Broadcasts above every page: the most severe first, further ones behind "1 more". A broadcast that a person dismisses
// stays dismissed until it is changed, also in the portal.

type PutAway = Readonly<Record<string, string>>;
const putAwayKey = "put-away";

function usePutAway() {
  const { account } = useCurrentAccount();
  const queries = useQueryClient();
  const { data } = useKept<PutAway>("portal");
  const find = (items: readonly KeptItem<PutAway>[]) =>
    items.find(({ key, owner }) => key === putAwayKey && owner === "me")?.value ?? {};
  return {
    putAway: data === undefined ? null : find(data),
    async add({ id, updated_at }: PortalBroadcast) {
      const before = queries.getQueryData(keptQueries.items<PutAway>(account.id, "portal").queryKey) ?? [];
      const value = { ...find(before), [id]: updated_at };
      const own = { key: putAwayKey, owner: "me", value, updated_at: "" };
      changeKept<PutAway>(queries, account.id, "portal", (items) => [
        ...items.filter((item) => item.key !== putAwayKey),
        own,
      ]);
      await keptApi(account.id).put("portal", putAwayKey, value);
    },
  };
}

export function BroadcastBanner() {
  const { api } = useCurrentAccount();
  const queries = useQueryClient();
  const shownNow = shownBroadcastQueries.shown(api);
  const { data = [] } = useQuery(shownNow);
  const { putAway, add } = usePutAway();
  const [all, setAll] = useState(false);
  const now = useNow();
  useLiveEvent("broadcast", () => void queries.invalidateQueries({ queryKey: shownNow.queryKey }));
  // Wait until the dismissed broadcasts are loaded, so that none of them flashes up.
  if (putAway === null) return null;
  const active = data.filter(
    ({ id, updated_at, end_at }) => putAway[id] !== updated_at && (end_at === null || Date.parse(end_at) > now),
  );
  if (active.length === 0) return null;
  const shown = all ? active : active.slice(0, 1);
  return (
    <section className="broadcasts" aria-label={t("broadcast.region")} aria-live="polite">
      {shown.map((broadcast, at) => (
        <BannerLine key={broadcast.id} kind={broadcast.message_type} message={broadcast.message}>
          <SeenMark broadcast={broadcast} />
          {!all && at === 0 && active.length > 1 && (
            <button type="button" className="broadcast-action" onClick={() => setAll(true)}>
              {t("broadcast.more", { count: active.length - 1 })}
            </button>
          )}
          {broadcast.request !== null && <SubscribeButton id={broadcast.id} />}
          <button
            type="button"
            className="broadcast-action"
            aria-label={t("broadcast.close")}
            onClick={() => void add(broadcast).catch(showError)}
          >
            <Icon of={IconX} />
          </button>
        </BannerLine>
      ))}
    </section>
  );
}

/** Reports to the server that the person has seen it. */
function SeenMark({ broadcast }: { broadcast: PortalBroadcast }) {
  const { account } = useCurrentAccount();
  useEffect(() => markBroadcastSeen(account.id, broadcast), [account.id, broadcast]);
  return null;
}

function SubscribeButton({ id }: { id: number }) {
  const { api } = useCurrentAccount();
  const [isSubscribed, setSubscribed] = useState(false);
  const subscribe = async () => {
    try {
      await api.call("POST /broadcasts/:id/subscribe", { id });
      setSubscribed(true);
      showMessage(t("broadcast.subscribed"));
    } catch (error) {
      showError(error);
    }
  };
  if (isSubscribed)
    return (
      <span className="broadcast-told">
        <Icon of={IconCheck} /> {t("broadcast.told")}
      </span>
    );
  return (
    <button type="button" className="broadcast-action" onClick={() => void subscribe()}>
      {t("broadcast.tellMe")} <Icon of={IconBellPlus} />
    </button>
  );
}
