import IconArchive from "@tabler/icons-react/dist/esm/icons/IconArchive.mjs";
import IconPlugConnectedX from "@tabler/icons-react/dist/esm/icons/IconPlugConnectedX.mjs";
import type { ReactNode } from "react";
import { formatNear } from "../../base/moments.ts";
import { Icon, type IconComponent } from "../../elements/icon.tsx";
import { t } from "../../languages/index.ts";
import { useNow } from "../now.ts";

type BarProps = {
  tone: "grey" | "yellow" | "violet" | "blue";
  icon: IconComponent;
  children: ReactNode;
  action?: ReactNode;
};

/** A bar across the page that shows its state. */
export function Bar({ tone, icon, children, action }: BarProps) {
  return (
    <div className="bar" data-tone={tone} role="status">
      <Icon of={icon} />
      <span className="bar-text">{children}</span>
      {action}
    </div>
  );
}

type ArchivedProps = { state: "archived" | "trashed"; by?: string | undefined; at: string; onRestore?: () => void };

/** Above a read-only record in the archive or trash. */
export function ArchivedBar({ state, by, at, onRestore }: ArchivedProps) {
  const now = useNow();
  const values = { state, by: by ?? "", when: formatNear(Date.parse(at), now) };
  return (
    <Bar
      tone="grey"
      icon={IconArchive}
      action={
        onRestore !== undefined && (
          <button type="button" className="bar-action" onClick={onRestore}>
            {t("record.restore")}
          </button>
        )
      }
    >
      {t(by === undefined ? "states.archived" : "states.archivedBy", values)}
    </Bar>
  );
}

/** While the server is unreachable; `waiting` changes are stored and sent later. */
export function OfflineBar({ waiting, onDetails }: { waiting: number; onDetails?: () => void }) {
  return (
    <Bar
      tone="yellow"
      icon={IconPlugConnectedX}
      action={
        onDetails !== undefined && (
          <button type="button" className="bar-action" onClick={onDetails}>
            {t("states.details")}
          </button>
        )
      }
    >
      {waiting === 0 ? t("states.offline") : t("states.offlineWaiting", { count: waiting })}
    </Bar>
  );
}
