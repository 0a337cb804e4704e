import type { ComponentType } from "react";
import type { Field, KindName } from "../../records/vocabulary/index.ts";
import type { Row } from "../api/index.ts";
import { fieldHint } from "../languages/page-labels.ts";

// How the interface shows, edits and filters one kind of field.

/** The field as that kind; a kind's file accesses only its own members. */
export type FieldWithKind<Name extends KindName> = Field & { kind: Name };

/** Narrows `field` to this kind: the table of kinds passes each component only fields of its kind. */
export function ofKind<Name extends KindName>(field: Field, kind: Name): FieldWithKind<Name> {
  const isOfKind = (each: Field): each is FieldWithKind<Name> => each.kind === kind;
  if (!isOfKind(field)) throw new Error(kind);
  return field;
}

// biome-ignore lint/suspicious/noExplicitAny: each kind narrows the value to what the API sends for it
export type Value = any;

export type ShowProps = { name: string; field: Field; value: Value; row: Row };
export type EditProps = {
  name: string;
  field: Field;
  label: string;
  value: Value;
  onChange(value: Value): void;
  error?: string | undefined;
  required: boolean;
};
/** A filter in the API's own syntax, as in the address. */
export type FilterProps = { name: string; field: Field; label: string; value: string; onChange(value: string): void };

export type FieldKind = {
  Show: ComponentType<ShowProps>;
  Edit?: ComponentType<EditProps>;
  Filter?: ComponentType<FilterProps>;
  /** takes a full row of a form and of a record page */
  wide?: true;
  /** converts the form's value for the API; absent: sent unchanged */
  toWire?(value: Value): unknown;
  /** describes a filter in words */
  filterText?(value: string, field: Field): string;
};

/** Common props of all inputs: name, required mark, hint and the server's error. */
export function inputProps({ name, label, error, required }: EditProps) {
  const hint = fieldHint(name);
  return { label, required, error, ...(hint === undefined ? {} : { description: hint }) };
}
