import type { ReactNode } from "react";
import { Icon } from "../../elements/icon.tsx";
import { t } from "../../languages/index.ts";
import { getLook } from "./message-types.ts";

/** A broadcast as displayed: the first sentence is the headline, the rest explains it. */
export function BannerLine({ kind, message, children }: { kind: string; message: string; children?: ReactNode }) {
  const { tone, icon, word } = getLook(kind);
  const end = /[.!?](\s|$)/.exec(message);
  const [news, rest] = end === null ? [message, ""] : [message.slice(0, end.index + 1), message.slice(end.index + 1)];
  return (
    <div className="broadcast" data-tone={tone}>
      <Icon of={icon} size={18} />
      <p>
        {/* The text still describes the outage: the first word says that it is over. */}
        <span className={kind === "available" ? "broadcast-word" : "spoken"}>{t(word)}: </span>
        <b>{news}</b> {rest.trim()}
      </p>
      {children !== undefined && <span className="broadcast-actions">{children}</span>}
    </div>
  );
}
