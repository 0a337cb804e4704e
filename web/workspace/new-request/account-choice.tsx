import IconChevronDown from "@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { WhoAmI } from "../../api/session.ts";
import { isAdministrator } from "../../base/permissions.ts";
import { Chip } from "../../elements/chip.tsx";
import { Icon } from "../../elements/icon.tsx";
import { t } from "../../languages/index.ts";
import { MenuButton } from "../../parts/menu/menu-button.tsx";
import type { MenuEntry } from "../../parts/menu/menu-entry.ts";

export type WorkAccount = WhoAmI["accounts"][number];

/** The service desk registers requests for other people. */
export const mayRegisterForOthers = ({ roles }: WorkAccount): boolean =>
  roles.includes("service_desk_analyst") || isAdministrator(roles);

/** The account of the new request: a choice for people who work in several accounts. */
export function AccountChoice({ onChoose }: { onChoose(account: WorkAccount): void }) {
  const { who, account } = useCurrentAccount();
  const accounts = who.accounts.filter(({ id, roles }) => roles.length > 0 || id === account.id);
  if (accounts.length < 2) return <Chip tone="outline">{account.name}</Chip>;
  const entries = accounts.map(
    (each): MenuEntry => ({
      is: "item",
      key: each.id,
      label: each.name,
      chosen: each.id === account.id,
      run: () => each.id !== account.id && onChoose(each),
    }),
  );
  return (
    <MenuButton entries={entries} position="bottom-start" width={260}>
      {(opening) => (
        <button type="button" className="account-choice" {...opening}>
          <span className="spoken">{t("app.account")}: </span>
          <span className="truncate">{account.name}</span>
          <Icon of={IconChevronDown} size={14} />
        </button>
      )}
    </MenuButton>
  );
}
