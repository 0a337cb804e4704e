// How an account styles its portal: stored for the account under "portal", set in the settings, read by the portal.

export type PortalLook = {
  name?: string;
  /** below the greeting */
  greeting?: string;
  /** #rrggbb */
  accent?: string;
  /** a picture as a data URL */
  logo?: string;
  /** keys of the tiles in order; tiles not listed follow */
  tiles?: readonly string[];
};
export const lookKey = "look";

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

/** Reads the usable part of a stored look: it may come from another version or from a custom program. */
export function parseLook(value: unknown): PortalLook {
  const { name, greeting, accent, logo, tiles }: Record<string, unknown> = Object(value);
  return {
    ...(isText(name) ? { name } : {}),
    ...(isText(greeting) ? { greeting } : {}),
    ...(isText(accent) && isColor(accent) && contrastWithWhite(accent) >= leastContrast ? { accent } : {}),
    ...(isText(logo) && isPicture(logo) ? { logo } : {}),
    ...(Array.isArray(tiles) ? { tiles: tiles.filter(isText) } : {}),
  };
}

export const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);
/** No SVG: it could contain scripts and styles. */
export const isPicture = (text: string): boolean => /^data:image\/(png|jpeg|webp);base64,[A-Za-z0-9+/=]+$/.test(text);

/** Required for white text on buttons (WCAG 1.4.3). */
export const leastContrast = 4.5;

const parts = (color: string): number[] => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

export function contrastWithWhite(color: string): number {
  const [red = 0, green = 0, blue = 0] = parts(color).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}

/** Darkens the color just enough for that contrast. */
export function findReadableColor(color: string): string {
  for (let share = 1; share > 0; share -= 0.02) {
    const darker = `#${parts(color)
      .map((part) =>
        Math.round(part * share)
          .toString(16)
          .padStart(2, "0"),
      )
      .join("")}`;
    if (contrastWithWhite(darker) >= leastContrast) return darker;
  }
  return "#000000";
}
