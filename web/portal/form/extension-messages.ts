// Messages between the page and the frame of a UI extension (D-398). The frame may be hostile: the page parses every
// message, and drops those that are too large.

export type FrameValue = string | number | boolean | readonly string[];
export type FrameValues = Readonly<Record<string, FrameValue>>;
export type FrameMessage =
  | { event: "ready" }
  | { event: "height"; height: number }
  | { event: "values"; values: FrameValues; valid: boolean };

const mostFields = 60;
const mostCharacters = 32_000;
const longestName = 128;
const [lowest, tallest] = [40, 4000];

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function parseValue(value: unknown): FrameValue | null {
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (!Array.isArray(value) || value.length > mostFields) return null;
  return value.every((each) => typeof each === "string") ? value : null;
}

/** Null: too many, too long, or a value that no form has. */
export function parseFrameValues(value: unknown): FrameValues | null {
  if (!isObject(value)) return null;
  const entries = Object.entries(value);
  if (entries.length > mostFields) return null;
  const values = new Map<string, FrameValue>();
  for (const [name, each] of entries) {
    const value = parseValue(each);
    if (value === null || name === "" || name.length > longestName || name === "__proto__") return null;
    values.set(name, value);
  }
  const parsed = Object.fromEntries(values);
  return JSON.stringify(parsed).length > mostCharacters ? null : parsed;
}

/** The kind of a message that was not parsed. */
export const getEventName = (data: unknown): string => String(isObject(data) ? data.event : undefined).slice(0, 10);

export function parseFrameMessage(data: unknown): FrameMessage | null {
  if (!isObject(data) || data.steward !== "extension") return null;
  if (data.event === "ready") return { event: "ready" };
  if (data.event === "height" && typeof data.height === "number" && Number.isFinite(data.height))
    return { event: "height", height: Math.min(tallest, Math.max(lowest, Math.ceil(data.height))) };
  if (data.event !== "values") return null;
  const values = parseFrameValues(data.values);
  return values === null ? null : { event: "values", values, valid: data.valid === true };
}

/** Parses the stored values of a draft. */
export function parseKeptValues(text: string | undefined): FrameValues {
  try {
    return parseFrameValues(JSON.parse(text ?? "{}")) ?? {};
  } catch {
    return {};
  }
}

export const hasAnswer = (values: FrameValues): boolean =>
  Object.values(values).some(
    (value) => value !== false && value !== "" && !(Array.isArray(value) && value.length === 0),
  );
