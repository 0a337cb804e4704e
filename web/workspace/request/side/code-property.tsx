import { useReferenceOptions } from "../../../queries/reference-options.ts";
import { findType } from "../../../record-types.ts";
import { useSettled } from "../queries.ts";

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

/** The name of a choice, and its reference until the name is known. */
export function CodeValue({ to, code }: { to: string; code: string }) {
  const { choices } = useCodes(to, useSettled("late"));
  return <>{choices.find(({ value }) => value === code)?.label ?? code}</>;
}
