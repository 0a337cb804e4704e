import { Button } from "@mantine/core";
import IconLock from "@tabler/icons-react/dist/esm/icons/IconLock.mjs";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { linkTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { rolesThatMay } from "../../base/permissions.ts";
import { t } from "../../languages/index.ts";
import { choiceLabel, collectionLabel } from "../../languages/labels.ts";
import { EmptyState } from "../empty-state.tsx";

/** "You may not see this", and the roles that may. */
export function Forbidden({ type }: { type?: RecordType }) {
  const { account } = useCurrentAccount();
  const roles = type === undefined ? [] : rolesThatMay("read", type);
  const names = new Intl.ListFormat(document.documentElement.lang, { type: "disjunction" }).format(
    roles.slice(0, 4).map((role) => choiceLabel("permission.role", role)),
  );
  const lead =
    type === undefined || names === ""
      ? t("states.forbiddenLead")
      : t("states.forbiddenRoles", { what: collectionLabel(type), roles: names });
  return (
    <EmptyState icon={IconLock} tone="yellow" title={t("states.forbidden")} lead={lead} level={1}>
      <Button variant="default" {...linkTo(paths.home(account.id))}>
        {t("error.home")}
      </Button>
    </EmptyState>
  );
}
