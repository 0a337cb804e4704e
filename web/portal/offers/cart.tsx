import IconX from "@tabler/icons-react/dist/esm/icons/IconX.mjs";
import { useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { useDraft } from "../../drafts/use-draft.ts";
import { Icon } from "../../elements/icon.tsx";
import { describePrices, describeTotal } from "../../parts/order/prices.ts";
import { useAddresses } from "../addresses.ts";
import { showError, showMessage } from "../frame/toasts.tsx";
import { useRefresh } from "../queries.ts";
import { navigateTo } from "../router.tsx";
import { t } from "../words.ts";
import { type OrderLine, useOrderLines } from "./order-lines.ts";

/** The cart: articles, quantities and the total. `most`: the maximum quantity of an article. */
export function Cart({ lines, most }: { lines: readonly OrderLine[]; most(name: string): number }) {
  const { api } = useCurrentAccount();
  const at = useAddresses();
  const { refresh } = useOrderLines();
  const refreshRequests = useRefresh();
  const [busy, setBusy] = useState(false);
  const reason = useDraft("portal/order");
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
  const total = describeTotal(lines);
  const order = () =>
    run(async () => {
      const placed = await api.call("POST /portal/orders", {}, { reason: reason.text });
      reason.remove();
      showMessage([t("shop.done"), total].filter((text) => text !== "").join(" "));
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
            <span className="cart-price">{describePrices(line)}</span>
            <button
              type="button"
              className="plain"
              disabled={busy}
              aria-label={t("shop.remove", { name: line.name })}
              onClick={() => void run(() => api.call("DELETE /portal/cart/:id", { id: line.id }))}
            >
              <Icon of={IconX} size={18} />
            </button>
          </li>
        ))}
      </ul>
      <label className="cart-reason">
        {t("shop.reason")}
        <textarea
          className="input"
          rows={2}
          maxLength={2000}
          value={reason.text}
          onChange={(event) => reason.setText(event.currentTarget.value)}
        />
      </label>
      <p className="cart-foot">
        <b>{total}</b>
        <button type="button" className="button primary" disabled={busy} onClick={() => void order()}>
          {t("shop.now")}
        </button>
      </p>
    </section>
  );
}
