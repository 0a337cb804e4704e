import { findType } from "../../../base/record-types.ts";
import { t } from "../../../languages/index.ts";
import { useSettled } from "../../../queries/record-page.ts";
import { useReferenceOptions } from "../../../queries/reference-options.ts";

/** The choices of a type that an account fills itself: closure codes, severities. */
export function useCodes(
  to: string,
  isWanted = true,
): { choices: { value: string; label: string }[]; loading: boolean } {
  const { options, loading } = useReferenceOptions(findType(to), "", isWanted, ["reference"]);
  const choices = options.flatMap((option) => {
    const { reference, name } = option as { reference?: string; name?: string };
    return reference === undefined ? [] : [{ value: reference, label: name ?? reference }];
  });
  return { choices, loading };
}

/** The name of a choice; its reference where the account has no such choice any more. */
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
