import IconCheck from "@tabler/icons-react/dist/esm/icons/IconCheck.mjs";
import type { ReactNode } from "react";
import { Icon } from "../../elements/icon.tsx";
import { t } from "../../languages/index.ts";

const steps = ["file", "columns", "check", "import"] as const;
export type ImportStep = (typeof steps)[number];

/** The progress of an import: four steps, one of them active. */
export function ImportSteps({ active, children }: { active: ImportStep; children?: ReactNode }) {
  const at = steps.indexOf(active);
  return (
    <div className="import-steps">
      <ol aria-label={t("exchange.steps")}>
        {steps.map((step, index) => (
          <li
            key={step}
            data-state={index < at ? "done" : index === at ? "now" : "next"}
            aria-current={index === at ? "step" : undefined}
          >
            <span className="import-step-mark" aria-hidden="true">
              {index < at ? <Icon of={IconCheck} size={14} /> : index + 1}
            </span>
            {t(`exchange.step.${step}`)}
          </li>
        ))}
      </ol>
      {children}
    </div>
  );
}
