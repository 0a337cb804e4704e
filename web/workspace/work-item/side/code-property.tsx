import { t } from "../../../languages/index.ts";
import { useCodes } from "../../../queries/codes.ts";
import { useSettled } from "../../../queries/record-page.ts";

/** The name of a choice; its reference if the account no longer has such a choice. */
export function CodeValue({ to, code }: { to: string; code: string }) {
  const isWanted = useSettled("late");
  const { choices, loading } = useCodes(to, isWanted);
  const known = choices.find(({ value }) => value === code);
  if (known === undefined && (loading || !isWanted))
    return (
      <span className="skeleton-bar" style={{ display: "inline-block", inlineSize: 96 }}>
        <span className="spoken">{t("app.loading")}</span>
      </span>
    );
  return <>{known?.label ?? code}</>;
}
