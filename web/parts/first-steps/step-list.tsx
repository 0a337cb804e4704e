import { Button, Progress } from "@mantine/core";
import IconCircle from "@tabler/icons-react/dist/esm/icons/IconCircle.mjs";
import IconCircleCheck from "@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs";
import IconCircleMinus from "@tabler/icons-react/dist/esm/icons/IconCircleMinus.mjs";
import { useCurrentAccount } from "../../api/current-account.ts";
import { linkTo } from "../../base/history.ts";
import { Icon } from "../../elements/icon.tsx";
import { t } from "../../languages/index.ts";
import { firstSteps } from "./steps.ts";
import type { useFirstSteps } from "./use-first-steps.ts";

type Props = { steps: NonNullable<ReturnType<typeof useFirstSteps>>; onHide(): void };

export const countSettled = ({ isSettled }: Props["steps"]): number =>
  firstSteps.filter(({ id }) => isSettled(id)).length;

/** The five steps, each with a link to its page. */
export function StepList({ steps, onHide }: Props) {
  const { account } = useCurrentAccount();
  const settled = countSettled(steps);
  return (
    <div className="first-steps">
      <div className="first-steps-head">
        <h2 className="settings-title">{t("steps.title")}</h2>
        <span className="quiet numbers">
          {t("steps.progress", { done: String(settled), total: String(firstSteps.length) })}
        </span>
        <Button variant="subtle" size="xs" onClick={onHide}>
          {t("steps.hide")}
        </Button>
      </div>
      <Progress
        value={(settled / firstSteps.length) * 100}
        size={4}
        color="var(--green-solid)"
        aria-label={t("steps.title")}
      />
      <ol>
        {firstSteps.map(({ id, label, lead, path }) => {
          const isDone = steps.state.done.includes(id);
          const isSkipped = !isDone && steps.isSettled(id);
          const { component: _, ...link } = linkTo(path(account.id));
          const text = t(isDone ? "steps.done" : isSkipped ? "steps.skipped" : "steps.open");
          return (
            <li key={id} data-settled={isDone || isSkipped || undefined}>
              <span className="first-step-icon">
                <Icon
                  of={isDone ? IconCircleCheck : isSkipped ? IconCircleMinus : IconCircle}
                  size={18}
                  color={isDone ? "var(--green-solid)" : "var(--text-3)"}
                />
              </span>
              <span className="spoken">{text}</span>
              <a className="first-step-link" {...link}>
                <span className="first-step-name">{t(label)}</span>
                <span className="quiet small">{t(lead)}</span>
              </a>
              {!isDone && !isSkipped && (
                <Button
                  variant="subtle"
                  size="xs"
                  aria-label={t("steps.skipName", { step: t(label) })}
                  onClick={() => steps.skip(id)}
                >
                  {t("steps.skip")}
                </Button>
              )}
            </li>
          );
        })}
      </ol>
      {steps.isComplete && (
        <p className="quiet" role="status">
          {t("steps.allDone")}
        </p>
      )}
    </div>
  );
}
