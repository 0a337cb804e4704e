import IconClock from "@tabler/icons-react/dist/esm/icons/IconClock.mjs";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Row } from "../../api/index.ts";
import { formatWithin } from "../../base/moments.ts";
import { Chip } from "../../elements/chip.tsx";
import { t } from "../../languages/index.ts";
import { shortChoiceLabel } from "../../languages/labels.ts";
import { useNow } from "../../parts/now.ts";
import { ImpactIcon } from "../../parts/work/impact.tsx";
import { getReference, getReferencedName, readText } from "../work-item/page-parts.ts";

/** A preview of the request in one line: category, impact, team, targets. */
export function WillBecome({ record, open, onOpen }: { record: Row | undefined; open: boolean; onOpen(): void }) {
  const { who } = useCurrentAccount();
  const now = useNow();
  const at = (name: string) => {
    const text = record === undefined ? "" : readText(record, name);
    return text === "" ? null : formatWithin(Date.parse(text), now);
  };
  const [response, resolution] = [at("response_target_at"), at("resolution_target_at")];
  const member = record === undefined ? null : getReference(record, "member");
  const team = record === undefined ? "" : getReferencedName(record, "team");
  const impact = record === undefined ? "" : readText(record, "impact");
  return (
    <div className="become" aria-live="polite">
      {record !== undefined && (
        <>
          <span className="quiet">{t("newRequest.become")}</span>
          <Chip tone="outline">{shortChoiceLabel("request.category", readText(record, "category"))}</Chip>
          {impact !== "" && (
            <Chip tone="outline">
              <span className="status-chip">
                <ImpactIcon impact={impact} size={14} silent />
                {shortChoiceLabel("request.impact", impact)}
              </span>
            </Chip>
          )}
          {(team !== "" || member !== null) && (
            <Chip tone="outline">
              {[team, member === null ? "" : member.id === who.person.id ? t("newRequest.you") : (member.name ?? "")]
                .filter((part) => part !== "")
                .join(" › ")}
            </Chip>
          )}
          {(response !== null || resolution !== null) && (
            <Chip tone="outline" icon={IconClock}>
              {response !== null && resolution !== null
                ? t("newRequest.bothBy", { response, resolution })
                : response !== null
                  ? t("newRequest.respondBy", { at: response })
                  : t("newRequest.resolveBy", { at: resolution ?? "" })}
            </Chip>
          )}
        </>
      )}
      <button type="button" className="text-button" aria-expanded={open} onClick={onOpen}>
        {open ? t("newRequest.less") : t("newRequest.change")}
      </button>
    </div>
  );
}
