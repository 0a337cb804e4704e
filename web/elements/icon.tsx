import type { Icon as IconComponent } from "@tabler/icons-react";

export type { IconComponent };

/** An icon beside text or on a labeled button: hidden from screen readers. */
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
