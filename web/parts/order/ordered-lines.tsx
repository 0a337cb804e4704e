import type { OrderedLine } from "../../../records/answers/portal-offers.ts";
import { t } from "../../languages/index.ts";
import { describePrices, describeTotal } from "./prices.ts";

type Props = {
  lines: readonly OrderedLine[];
  /** the recipient of the whole order: lines for others name their person */
  orderedFor: string | null;
};

/** The lines of an order, their recipients and prices. */
export function OrderedLines({ lines, orderedFor }: Props) {
  if (lines.length === 0) return null;
  const total = describeTotal(lines);
  return (
    <div className="ordered-lines">
      <ul>
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of an order keep their places
          <li key={index}>
            <span>
              {Number(line.quantity)} × {line.name}
              {line.requested_for !== null && line.requested_for !== orderedFor && (
                <span className="ordered-for"> {t("order.lineFor", { name: line.requested_for })}</span>
              )}
            </span>
            <span className="ordered-price">{describePrices(line)}</span>
          </li>
        ))}
      </ul>
      {total !== "" && <p>{total}</p>}
    </div>
  );
}
