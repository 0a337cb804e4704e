import IconBell from "@tabler/icons-react/dist/esm/icons/IconBell.mjs";
import IconMail from "@tabler/icons-react/dist/esm/icons/IconMail.mjs";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { notificationKinds, widerKinds } from "../../../records/notifications/kinds.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { type KeptItem, keptApi } from "../../api/index.ts";
import { Icon } from "../../elements/icon.tsx";
import { showError } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { changeKept, keptQueries } from "../../queries/kept/kept-items.ts";
import type { StoredChoices } from "../../queries/settings/profile.ts";

// The kinds of notifications a person receives in the page and by email. Without a choice, a kind is on.

const channels = [
  { id: "page", icon: IconBell, label: "profile.page", name: "profile.pageName" },
  { id: "mail", icon: IconMail, label: "profile.mail", name: "profile.mailName" },
] as const;

export function NotificationChoices() {
  const { who } = useCurrentAccount();
  const queries = useQueryClient();
  // Stored in the person's own account, whichever account they work in.
  const { account } = who.person;
  const kept = keptApi(account);
  const { data } = useQuery(keptQueries.items<StoredChoices>(account, "preference"));
  const isMine = ({ key, owner }: KeptItem<StoredChoices>): boolean => key === "notifications" && owner === "me";
  const choices = data?.find(isMine)?.value ?? {};
  const set = (kind: string, channel: string, wanted: boolean) => {
    const value: StoredChoices = { ...choices, [kind]: { ...choices[kind], [channel]: wanted } };
    changeKept<StoredChoices>(queries, account, "preference", (items) => [
      ...items.filter((item) => !isMine(item)),
      { key: "notifications", owner: "me", value, updated_at: new Date().toISOString() },
    ]);
    kept.put("preference", "notifications", value).catch(showError);
  };
  return (
    <ul className="tell-kinds">
      {notificationKinds.map((kind) => {
        const what = t(`profile.kind.${kind}`);
        return (
          <li key={kind}>
            <span>{what}</span>
            {channels.map(({ id, icon, label, name }) => {
              const wanted = (choices[kind]?.[id] ?? choices[widerKinds[kind] ?? ""]?.[id]) !== false;
              return (
                <button
                  key={id}
                  type="button"
                  className="tell-choice"
                  disabled={data === undefined}
                  aria-pressed={wanted}
                  aria-label={t(name, { what })}
                  onClick={() => set(kind, id, !wanted)}
                >
                  <Icon of={icon} size={14} /> {t(label)}
                </button>
              );
            })}
          </li>
        );
      })}
    </ul>
  );
}
