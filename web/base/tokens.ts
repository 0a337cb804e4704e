// The colors of the interface by role, light and dark; sizes are in web/styles/elements/tokens.css. Components use the
// roles (`var(--text-2)`), never a color. Text has a contrast of at least 4.5:1 against its background, input borders
// 3:1.

type Pair = readonly [light: string, dark: string];

// biome-ignore format: a table keeps its columns
const roles: Readonly<Record<string, Pair>> = {
  side:            ["#f3f5f8", "#0d1116"],
  ground:          ["#f7f8fa", "#10151b"],
  surface:         ["#ffffff", "#141a21"],
  raised:          ["#ffffff", "#1a212a"],
  fill:            ["#f3f5f8", "#1b222b"],
  "fill-2":        ["#e8ecf2", "#252e39"],
  line:            ["#e5e9ef", "#242c37"],
  "line-2":        ["#cbd3de", "#3a4554"],
  "line-input":    ["#8491a3", "#6b788b"],
  text:            ["#141c28", "#e7ecf3"],
  "text-2":        ["#445063", "#b3becc"],
  "text-3":        ["#5f6b7d", "#909cad"],
  accent:          ["#1257b8", "#2e6fd1"],
  "accent-text":   ["#0d4799", "#8ab8ff"],
  "accent-soft":   ["#e9f1fd", "#182a45"],
  "note-ground":   ["#fffaeb", "#221d10"],
  "note-line":     ["#f2e2b0", "#463a18"],
  shadow:          ["0 1px 2px rgb(20 28 40 / 6%), 0 4px 16px rgb(20 28 40 / 10%)", "0 0 0 1px #242c37, 0 8px 24px rgb(0 0 0 / 50%)"],
};

type Tone = readonly [text: Pair, soft: Pair, solid: Pair];

// biome-ignore format: a table keeps its columns
const tones: Readonly<Record<string, Tone>> = {
  green:  [["#13693b", "#6fd39c"], ["#e3f4ea", "#12291d"], ["#1b8f52", "#35b672"]],
  yellow: [["#765200", "#eec75a"], ["#fdf2cd", "#2c2410"], ["#b47f00", "#d9a300"]],
  orange: [["#9c3f08", "#ffab70"], ["#fdeadb", "#331f10"], ["#d9620c", "#ee7f2d"]],
  red:    [["#ae1f1f", "#ff9d97"], ["#fde9e8", "#361818"], ["#d92d2d", "#ef5350"]],
  violet: [["#5538ad", "#b9a5ff"], ["#f0ebfd", "#241d3f"], ["#7b5fd6", "#8f76ea"]],
  blue:   [["#1257b8", "#8ab8ff"], ["#e6effc", "#182a45"], ["#2f7be0", "#4b8ff0"]],
  teal:   [["#0e6470", "#6fd0dc"], ["#e0f3f5", "#0f2a2e"], ["#138594", "#2ba7b6"]],
  grey:   [["#4b5769", "#b3becc"], ["#edf0f4", "#222a34"], ["#7b8798", "#6d7989"]],
};

export type ToneName = "green" | "yellow" | "orange" | "red" | "violet" | "blue" | "teal" | "grey";

/** The variables of one theme: --text-2, --green (text), --green-soft (background), --green-solid (icons, bars). */
export function buildTokens(theme: "light" | "dark"): Record<string, string> {
  const pick = (pair: Pair): string => pair[theme === "light" ? 0 : 1];
  const entries = Object.entries(roles).map(([name, pair]): [string, string] => [`--${name}`, pick(pair)]);
  for (const [name, [text, soft, solid]] of Object.entries(tones))
    entries.push([`--${name}`, pick(text)], [`--${name}-soft`, pick(soft)], [`--${name}-solid`, pick(solid)]);
  return Object.fromEntries(entries);
}
