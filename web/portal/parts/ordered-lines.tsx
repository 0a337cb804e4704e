import { describePrices, describeTotals, type PricedLine } from "../offers/prices.ts";
import { t } from "../words.ts";

/** What is ordered and what it costs, with the sum of several lines. */
export function OrderedLines({ lines }: { lines: readonly PricedLine[] }) {
  if (lines.length === 0) return null;
  const total = describeTotals(lines);
  return (
    <div className="ordered-lines">
      <ul>
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of an order keep their places
          <li key={index}>
            <span>
              {Number(line.quantity)} × {line.name}
            </span>
            <span>{describePrices(line)}</span>
          </li>
        ))}
      </ul>
      {total !== "" && <p>{t("shop.total", { price: total })}</p>}
    </div>
  );
}
