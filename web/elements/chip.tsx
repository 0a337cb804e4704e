import type { ReactNode } from "react";
import type { ToneName } from "../base/tokens.ts";
import { Icon, type IconComponent } from "./icon.tsx";
import { tip } from "./tip.tsx";

type Props = {
  tone?: ToneName | "outline" | "plain";
  icon?: IconComponent;
  /** tooltip on hover and focus */
  title?: string | undefined;
  /** read out instead of an abbreviated text */
  label?: string | undefined;
  children: ReactNode;
};

/** 22 px high, one line. Color is never the only signal: a chip has text, and often an icon. */
export function Chip({ tone = "grey", icon, title, label, children }: Props) {
  return (
    <span className="chip" data-tone={tone} {...tip(title)}>
      {icon !== undefined && <Icon of={icon} size={14} />}
      {label === undefined ? (
        <span className="chip-text">{children}</span>
      ) : (
        <>
          <span className="chip-text" aria-hidden="true">
            {children}
          </span>
          <span className="spoken">{label}</span>
        </>
      )}
    </span>
  );
}
