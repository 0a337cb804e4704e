import type { ComponentType } from "react";
import type { Field, KindName } from "../../records/vocabulary/index.ts";
import type { Row } from "../api/index.ts";
import { fieldHint } from "../languages/page-labels.ts";

// What the interface knows about one kind of field: how to show it, edit it, filter by it.

/** The field as that kind; a kind's file knows its own members. */
export type FieldWithKind<Name extends KindName> = Field & { kind: Name };

/** `field` as a field of this kind: the table of kinds gives each component no others. */
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
/** A filter is a text in the API's own syntax, as it stands in the address. */
export type FilterProps = { name: string; field: Field; label: string; value: string; onChange(value: string): void };

export type FieldKind = {
  Show: ComponentType<ShowProps>;
  Edit?: ComponentType<EditProps>;
  Filter?: ComponentType<FilterProps>;
  /** takes a whole line of a form and of a record page */
  wide?: true;
  /** what a form holds, as the API wants it; as it is when absent */
  toWire?(value: Value): unknown;
  /** a filter in words */
  filterText?(value: string, field: Field): string;
};

/** What all inputs have in common: a name, a mark when required, a hint for people, the server's complaint. */
export function inputProps({ name, label, error, required }: EditProps) {
  const hint = fieldHint(name);
  return { label, required, error, ...(hint === undefined ? {} : { description: hint }) };
}
