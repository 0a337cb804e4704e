import IconX from "@tabler/icons-react/dist/esm/icons/IconX.mjs";
import { useState } from "react";
import { portalApi } from "../../api/portal.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { Icon } from "../../parts/icon.tsx";
import { useAddresses } from "../addresses.ts";
import { showError, showMessage } from "../frame/toasts.tsx";
import { useRefresh } from "../queries.ts";
import { navigateTo } from "../router.tsx";
import { t } from "../words.ts";
import { formatMoney } from "./money.ts";
import { type OrderLine, useOrderLines } from "./order-lines.ts";

/** What was put into the basket, how many, and what it costs together. `most`: how many of an article one may order */
export function Cart({ lines, most }: { lines: readonly OrderLine[]; most(name: string): number }) {
  const { account, api } = useCurrentAccount();
  const at = useAddresses();
  const { refresh } = useOrderLines();
  const refreshRequests = useRefresh();
  const [busy, setBusy] = useState(false);
  const run = async (act: () => Promise<unknown>) => {
    setBusy(true);
    try {
      await act();
      await refresh();
    } catch (error) {
      showError(error);
    } finally {
      setBusy(false);
    }
  };
  const order = () =>
    run(async () => {
      const placed = await portalApi(account.id).order();
      showMessage(t("shop.done"));
      void refreshRequests();
      navigateTo(at.request(placed.order));
    });
  return (
    <section className="panel cart" aria-labelledby="cart">
      <h2 id="cart">{t("shop.cart")}</h2>
      <ul>
        {lines.map((line) => (
          <li key={line.id} className="cart-line">
            <span className="cart-name">{line.name}</span>
            <select
              className="input"
              aria-label={t("shop.quantity", { name: line.name })}
              value={String(Number(line.quantity))}
              disabled={busy}
              onChange={(event) => {
                const quantity = Number(event.currentTarget.value);
                void run(() => api.change(`/shop_order_lines/${line.id}`, { quantity }));
              }}
            >
              {Array.from({ length: Math.max(most(line.name), Number(line.quantity)) }, (_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: numbers in their order
                <option key={index}>{index + 1}</option>
              ))}
            </select>
            <span>{line.total_price === null ? "" : formatMoney(line.total_price, line.price_currency)}</span>
            <button
              type="button"
              className="plain"
              disabled={busy}
              aria-label={t("shop.remove", { name: line.name })}
              onClick={() => void run(() => portalApi(account.id).removeFromCart(line.id))}
            >
              <Icon of={IconX} size={18} />
            </button>
          </li>
        ))}
      </ul>
      <p className="cart-foot">
        <b>{describeTotal(lines)}</b>
        <button type="button" className="button primary" disabled={busy} onClick={() => void order()}>
          {t("shop.now")}
        </button>
      </p>
    </section>
  );
}

/** Prices in several currencies are not added up. */
function describeTotal(lines: readonly OrderLine[]): string {
  const priced = lines.filter(({ total_price }) => total_price !== null);
  const currencies = new Set(priced.map(({ price_currency }) => price_currency));
  const [currency = null] = currencies;
  if (currencies.size !== 1) return "";
  const sum = priced.reduce((total, line) => total + Number(line.total_price), 0);
  return t("shop.total", { price: formatMoney(Number(sum.toFixed(2)), currency) });
}
