import IconArrowRight from "@tabler/icons-react/dist/esm/icons/IconArrowRight.mjs";
import { Icon } from "../../elements/icon.tsx";
import { t } from "../../languages/index.ts";
import "../../styles/settings/sync-flow.css";

const steps = ["provider", "records", "rules", "people"] as const;

/** The steps from a directory entry to a person. */
export const SyncFlow = () => (
  <ol className="sync-flow" aria-label={t("provisioning.flow")}>
    {steps.map((step, at) => (
      <li key={step}>
        {at > 0 && <Icon of={IconArrowRight} />}
        <div>
          <strong>{t(`provisioning.flow.${step}`)}</strong>
          <span className="quiet small">{t(`provisioning.flow.${step}Lead`)}</span>
        </div>
      </li>
    ))}
  </ol>
);
