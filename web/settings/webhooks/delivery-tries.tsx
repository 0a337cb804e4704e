import { useEffect, useState } from "react";
import type { Attempt, DeliveryDetails } from "../../api/webhooks.ts";
import { tip } from "../../elements/tip.tsx";
import { t } from "../../languages/index.ts";
import { currentTime, useNow } from "../../parts/now.ts";
import { formatSecond } from "../../parts/precise-moments.ts";
import { formatPause } from "./durations.ts";

/** The attempts of a message in order, the pause before each, and the time of the next one. */
export function DeliveryTries({ delivery }: { delivery: DeliveryDetails }) {
  const now = useNow();
  const attempts = delivery.attempts.toReversed();
  const describePause = ({ started_at }: Attempt, before: Attempt | undefined): string =>
    before === undefined
      ? formatSecond(Date.parse(started_at), now)
      : `+ ${formatPause(Date.parse(started_at) - Date.parse(before.started_at))}`;
  return (
    <ol className="log-tries">
      {attempts.map((attempt, index) => {
        const { number, status, error } = attempt;
        const answer = error ?? status ?? "";
        return (
          <li key={number} data-bad={error === null ? undefined : true} {...tip(String(answer))}>
            <b aria-hidden="true">{number}</b>
            <span className="spoken">{t("webhooks.attempt", { number, answer })}</span>
            <span className="numbers">{describePause(attempt, attempts[index - 1])}</span>
          </li>
        );
      })}
      {delivery.next_try_at !== null && (
        <li data-next>
          <b aria-hidden="true">{delivery.tries + 1}</b>
          <Countdown until={Date.parse(delivery.next_try_at)} />
          <span className="quiet">{t("webhookOverview.ofTries", { count: delivery.max_tries })}</span>
        </li>
      )}
    </ol>
  );
}

const second = 1000; // milliseconds

function Countdown({ until }: { until: number }) {
  const [now, setNow] = useState(currentTime);
  useEffect(() => {
    const timer = setInterval(() => setNow(currentTime()), second);
    return () => clearInterval(timer);
  }, []);
  return <span className="numbers">{t("webhookOverview.nextIn", { time: formatPause(until - now) })}</span>;
}
