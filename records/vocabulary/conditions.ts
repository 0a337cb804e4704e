// Conditions on rows as data, for views, read-only lists and grants.

/** A value that depends on the call. */
export type ContextValue = {
  word: "me" | "my organization" | "my site" | "this account" | "its directory account" | "this record";
};

export type FieldTest =
  | string
  | number
  | boolean
  | null
  | ContextValue
  | { not: readonly (string | number | boolean)[] }
  | { oneOf: readonly (string | number | boolean)[] }
  | "present";

/**
 * Every named field passes its test; `any` holds alternatives; `rule` names a condition in server/rules.
 * `N` exists for the compiler only, which compares the names of fields with those of the type.
 */
export type Condition<N extends string = string> = (
  | { fields: Record<string, FieldTest> }
  | { any: readonly Condition[] }
  | { rule: string }
) & { readonly names?: N };

export const me: ContextValue = { word: "me" };
export const myOrganization: ContextValue = { word: "my organization" };
export const mySite: ContextValue = { word: "my site" };
export const thisAccount: ContextValue = { word: "this account" };
/** the record that the list belongs to */
export const thisRecord: ContextValue = { word: "this record" };
export const itsDirectoryAccount: ContextValue = { word: "its directory account" };

export const where = <N extends string>(fields: Record<N, FieldTest>): Condition<N> => ({ fields });
export const any = <N extends string>(...conditions: Condition<N>[]): Condition<N> => ({ any: conditions });
export const rule = (name: string): Condition<never> => ({ rule: name });
export const not = (...values: (string | number | boolean)[]): FieldTest => ({ not: values });
export const oneOf = (...values: (string | number | boolean)[]): FieldTest => ({ oneOf: values });

/** the two views of every record that can be disabled */
export const enabledAndDisabled = {
  enabled: where({ disabled: false }),
  disabled: where({ disabled: true }),
};
