import { findType } from "../base/record-types.ts";
import type { Reference } from "./reference.ts";
import { useReferenceOptions } from "./reference-options.ts";

type Code = { value: string; label: string };

/** The choices of a type that an account defines itself, such as closure codes. Records store the reference of a choice. */
export function useCodes(to: string, isWanted = true): { choices: Code[]; loading: boolean } {
  const { options, loading } = useReferenceOptions(findType(to), "", isWanted, ["reference"]);
  const choices = options.flatMap(({ reference, name }: Reference & { reference?: string }) =>
    reference === undefined ? [] : [{ value: reference, label: name ?? reference }],
  );
  return { choices, loading };
}
