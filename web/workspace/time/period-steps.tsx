import { ActionIcon, Button } from "@mantine/core";
import IconChevronLeft from "@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs";
import IconChevronRight from "@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs";
import type { ReactNode } from "react";
import { Icon, type IconComponent } from "../../elements/icon.tsx";
import { tip } from "../../elements/tip.tsx";
import { t } from "../../languages/index.ts";

type Props = {
  /** the name of the displayed period */
  children: ReactNode;
  /** the name of the period that contains today */
  current: string;
  onStep(by: -1 | 1): void;
  onCurrent(): void;
};

/** Steps to the previous, next and current period. */
export const PeriodSteps = ({ children, current, onStep, onCurrent }: Props) => (
  <span className="week-steps">
    <Step icon={IconChevronLeft} name={t("time.before")} run={() => onStep(-1)} />
    {children}
    <Step icon={IconChevronRight} name={t("time.after")} run={() => onStep(1)} />
    <Button variant="default" size="xs" onClick={onCurrent}>
      {current}
    </Button>
  </span>
);

const Step = ({ icon, name, run }: { icon: IconComponent; name: string; run(): void }) => (
  <ActionIcon variant="default" size={26} aria-label={name} {...tip(name)} onClick={run}>
    <Icon of={icon} />
  </ActionIcon>
);
