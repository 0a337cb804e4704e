import IconBellPlus from "@tabler/icons-react/dist/esm/icons/IconBellPlus.mjs";
import IconCheck from "@tabler/icons-react/dist/esm/icons/IconCheck.mjs";
import IconX from "@tabler/icons-react/dist/esm/icons/IconX.mjs";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { markBroadcastSeen } from "../../api/live.ts";
import { type KeptItem, keptApi, loadBroadcasts, type PortalBroadcast } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { t } from "../../languages/index.ts";
import { useLiveEvent } from "../../live/use-topics.ts";
import { Icon } from "../../parts/icon.tsx";
import { useNow } from "../../parts/now.ts";
import { showError, showMessage } from "../../parts/toast.tsx";
import { keptKey, useKept } from "../../queries/kept.ts";
import { BannerLine } from "./banner-line.tsx";

// What everybody should know, above every page: the most severe first, further ones behind "1 more". What somebody puts
// away stays away in the portal, too, until the broadcast is changed.

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
      const key = [...keptKey(account.id, "portal")];
      const before = queries.getQueryData<readonly KeptItem<PutAway>[]>(key) ?? [];
      const value = { ...find(before), [id]: updated_at };
      const own = { key: putAwayKey, owner: "me" as const, value, updated_at: "" };
      queries.setQueryData(key, [...before.filter((item) => item.key !== putAwayKey), own]);
      await keptApi(account.id).put("portal", putAwayKey, value);
    },
  };
}

export function BroadcastBanner() {
  const { account } = useCurrentAccount();
  const queries = useQueryClient();
  const key = [account.id, "broadcasts"];
  const { data = [] } = useQuery({ queryKey: key, queryFn: () => loadBroadcasts(account.id) });
  const { putAway, add } = usePutAway();
  const [all, setAll] = useState(false);
  const now = useNow();
  useLiveEvent("broadcast", () => void queries.invalidateQueries({ queryKey: key }));
  // Until it is known what was put away, nothing may flash up.
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
          {broadcast.request !== null && <TellMe id={broadcast.id} />}
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

/** Tells the server that the person has it before the eyes. */
function SeenMark({ broadcast }: { broadcast: PortalBroadcast }) {
  const { account } = useCurrentAccount();
  useEffect(() => markBroadcastSeen(account.id, broadcast), [account.id, broadcast]);
  return null;
}

function TellMe({ id }: { id: number }) {
  const { api } = useCurrentAccount();
  const [told, setTold] = useState(false);
  const subscribe = async () => {
    try {
      await api.create(`/broadcasts/${id}/subscribe`, {});
      setTold(true);
      showMessage(t("broadcast.subscribed"));
    } catch (error) {
      showError(error);
    }
  };
  if (told)
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
