import type { Icon as IconComponent } from "@tabler/icons-react";

export type { IconComponent };

/** An icon beside words or on a labelled button: it says nothing to a screen reader. */
export function Icon({ of: Drawing, size = 16, color }: { of: IconComponent; size?: number; color?: string }) {
  return (
    <Drawing
      size={size}
      stroke={1.75}
      className="icon"
      aria-hidden="true"
      focusable="false"
      {...(color === undefined ? {} : { color })}
    />
  );
}
