/** A parameter of a statement. */
export type Value = string | number | boolean | null | readonly (string | number | null)[];
