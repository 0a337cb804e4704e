import IconAlertCircle from "@tabler/icons-react/dist/esm/icons/IconAlertCircle.mjs";
import IconAlertTriangle from "@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs";
import IconBellPlus from "@tabler/icons-react/dist/esm/icons/IconBellPlus.mjs";
import IconCheck from "@tabler/icons-react/dist/esm/icons/IconCheck.mjs";
import IconCircleCheck from "@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs";
import IconInfoCircle from "@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs";
import IconX from "@tabler/icons-react/dist/esm/icons/IconX.mjs";
import { useEffect, useState } from "react";
import type { PortalBroadcast } from "../../../records/answers/portal.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { markBroadcastSeen } from "../../api/live.ts";
import { Icon, type IconComponent } from "../../elements/icon.tsx";
import { useNow } from "../../parts/now.ts";
import { useHome, useKeptPortal, useRefresh } from "../queries.ts";
import { t, type Word } from "../words.ts";
import { showError, showMessage } from "./toasts.tsx";

// biome-ignore format: a table keeps its columns
const looks: Readonly<Record<string, { tone: string; icon: IconComponent; word: Word }>> = {
  outage:    { tone: "red",    icon: IconAlertCircle,   word: "broadcast.outage" },
  warning:   { tone: "yellow", icon: IconAlertTriangle, word: "broadcast.warning" },
  available: { tone: "green",  icon: IconCircleCheck,   word: "broadcast.available" },
  info:      { tone: "blue",   icon: IconInfoCircle,    word: "broadcast.info" },
};
const info = { tone: "blue", icon: IconInfoCircle, word: "broadcast.info" as const };

/** The current broadcasts, the most severe first; further ones behind "1 more". */
export function Banner() {
  const { data } = useHome();
  const kept = useKeptPortal();
  const [all, setAll] = useState(false);
  const now = useNow();
  const active = (data?.broadcasts ?? []).filter(
    ({ id, updated_at, end_at }) => kept.putAway[id] !== updated_at && (end_at === null || Date.parse(end_at) > now),
  );
  // Wait until the dismissed broadcasts are loaded, so that none of them flashes up.
  if (!kept.isLoaded || active.length === 0) return null;
  const shown = all ? active : active.slice(0, 1);
  const putAway = ({ id, updated_at }: PortalBroadcast) =>
    kept.setPutAway({ ...kept.putAway, [id]: updated_at }).catch(showError);
  return (
    <section className="banners" aria-label={t("broadcast.region")}>
      {shown.map((broadcast, at) => (
        <OneBanner key={broadcast.id} broadcast={broadcast} onClose={() => putAway(broadcast)}>
          {!all && at === 0 && active.length > 1 && (
            <button type="button" className="banner-action" onClick={() => setAll(true)}>
              {t("broadcast.more", { count: active.length - 1 })}
            </button>
          )}
        </OneBanner>
      ))}
    </section>
  );
}

type Props = { broadcast: PortalBroadcast; onClose(): void; children: React.ReactNode };

function OneBanner({ broadcast, onClose, children }: Props) {
  const { account, api } = useCurrentAccount();
  const refresh = useRefresh();
  useEffect(() => markBroadcastSeen(account.id, broadcast), [account.id, broadcast]);
  const [isSubscribed, setSubscribed] = useState(false);
  const { tone, icon, word } = looks[broadcast.message_type] ?? info;
  const [first, rest] = splitSentence(broadcast.message);
  const subscribe = async () => {
    try {
      await api.call("POST /broadcasts/:id/subscribe", { id: broadcast.id });
      setSubscribed(true);
      showMessage(t("broadcast.subscribed"));
      await refresh();
    } catch (error) {
      showError(error);
    }
  };
  return (
    <div className="banner" data-tone={tone}>
      <div className="wrap banner-row">
        <Icon of={icon} size={20} />
        <p>
          {/* A resolved outage keeps its original text: the first word says that it is over. */}
          <span className={broadcast.message_type === "available" ? "banner-kind" : "spoken"}>{t(word)}: </span>
          <b>{first}</b> {rest}
        </p>
        <span className="banner-actions">
          {children}
          {broadcast.request !== null &&
            (isSubscribed ? (
              <span className="banner-told">
                <Icon of={IconCheck} /> {t("broadcast.told")}
              </span>
            ) : (
              <button type="button" className="banner-action" onClick={subscribe}>
                {t("broadcast.tellMe")} <Icon of={IconBellPlus} size={18} />
              </button>
            ))}
        </span>
        <button type="button" className="plain banner-close" aria-label={t("broadcast.close")} onClick={onClose}>
          <Icon of={IconX} size={18} />
        </button>
      </div>
    </div>
  );
}

/** The first sentence is the headline, the rest explains it. */
function splitSentence(text: string): [string, string] {
  const end = /[.!?](\s|$)/.exec(text);
  return end === null ? [text, ""] : [text.slice(0, end.index + 1), text.slice(end.index + 1).trim()];
}
