import IconInbox from "@tabler/icons-react/dist/esm/icons/IconInbox.mjs";
import type { ReactNode } from "react";
import type { ToneName } from "../base/tokens.ts";
import { Icon, type IconComponent } from "../elements/icon.tsx";

type Props = {
  title: string;
  lead?: ReactNode;
  icon?: IconComponent;
  tone?: ToneName;
  /** 1 if it replaces a whole page */
  level?: 1 | 2 | 3;
  /** one action, rarely two */
  children?: ReactNode;
};

/** Replaces missing content: one sentence, the reason, and one action. */
export function EmptyState({ title, lead, icon = IconInbox, tone = "grey", level, children }: Props) {
  const Heading = level === undefined ? "p" : (`h${level}` as const);
  return (
    <div className="empty-state">
      <span className="empty-icon" data-tone={tone}>
        <Icon of={icon} size={20} />
      </span>
      <Heading className="empty-title">{title}</Heading>
      {lead !== undefined && <p className="empty-lead">{lead}</p>}
      {children !== undefined && <div className="empty-actions">{children}</div>}
    </div>
  );
}
