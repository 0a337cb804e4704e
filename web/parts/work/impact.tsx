import { tip } from "../../elements/tip.tsx";
import { choiceExplanation, shortChoiceLabel } from "../../languages/labels.ts";

const filled: Readonly<Record<string, number>> = { none: 0, low: 1, medium: 2, high: 3 };
const bars = [
  { x: 2, y: 9, height: 5 },
  { x: 6.5, y: 6, height: 8 },
  { x: 11, y: 2.5, height: 11.5 },
];

const label = (impact: string): string => shortChoiceLabel("request.impact", impact);

/** Signal bars; top is a red square with an exclamation mark. */
export function ImpactIcon({ impact, size = 16, silent = false }: { impact: string; size?: number; silent?: boolean }) {
  const name = label(impact);
  const spoken = silent ? { "aria-hidden": true as const } : { role: "img", "aria-label": name, ...tip(name) };
  return (
    <span className="drawn" {...spoken}>
      <svg
        className="impact-icon"
        data-impact={impact}
        width={size}
        height={size}
        viewBox="0 0 16 16"
        aria-hidden="true"
      >
        {impact === "top" ? (
          <>
            <rect x="1.500" y="1.500" width="13" height="13" rx="3" className="impact-top" />
            <path d="M8 4.600v4M8 11.200v.1" className="status-mark" />
          </>
        ) : (
          bars.map((bar, at) => (
            <rect key={bar.x} {...bar} width="3" rx="1" data-filled={at < (filled[impact] ?? 0) || undefined} />
          ))
        )}
      </svg>
    </span>
  );
}

/** Bars and text: "Top", with an explanation in grey if there is room. */
export function ImpactChip({ impact, explained = false }: { impact: string; explained?: boolean }) {
  return (
    <span className="status-chip">
      <ImpactIcon impact={impact} silent />
      <span>{label(impact)}</span>
      {explained && <span className="quiet">{choiceExplanation("request.impact", impact)}</span>}
    </span>
  );
}
