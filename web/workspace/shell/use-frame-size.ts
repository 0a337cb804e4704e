import { useMediaQuery } from "@mantine/hooks";
import { usePreference } from "../../base/preferences.ts";

const now = { getInitialValueInEffect: false };

/** The layout of the frame: phones have a bar at the bottom, narrow screens a menu of icons. */
export function useFrameSize(): { phone: boolean; collapsed: boolean } {
  const phone = useMediaQuery("(max-width: 48em)", false, now);
  const narrow = useMediaQuery("(max-width: 75em)", false, now);
  const chosen = usePreference("menuCollapsed");
  return { phone, collapsed: !phone && (narrow || chosen) };
}
