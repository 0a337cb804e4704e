import { findType } from "../base/record-types.ts";
import { listNameFields, readName, useRecordNames } from "./record-names.ts";
import type { Reference } from "./reference.ts";
import { useReferenceOptions } from "./reference-options.ts";

type Code = { value: string; label: string };

/**
 * The choices of a type that an account defines itself, for example closure codes. Records store a choice's reference.
 */
export function useCodes(to: string, isWanted = true): { choices: Code[]; loading: boolean } {
  const type = findType(to);
  const fields = ["reference", ...(type === undefined ? [] : listNameFields(type).slice(1))];
  const { options, loading } = useReferenceOptions(type, "", isWanted, fields);
  const choices = options.flatMap((option: Reference & { reference?: string }) =>
    option.reference === undefined || type === undefined
      ? []
      : [{ value: option.reference, label: readName(type, { [type.display]: option.name, ...option }) }],
  );
  return { choices, loading };
}

/** The name of such a choice, even if it is no longer offered; null until it is loaded. */
export function useCodeName(to: string, reference: string): string | null {
  const { choices, loading } = useCodes(to);
  const offered = choices.find(({ value }) => value === reference)?.label;
  const isUnknown = offered === undefined && !loading;
  const names = useRecordNames(new Map(isUnknown ? [[to, new Set([reference])]] : []));
  return offered ?? names.get(`${to} ${reference}`) ?? null;
}
