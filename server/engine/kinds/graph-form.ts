// How the graph (server/graphql/) shows and takes the values of a kind.

export type GraphScalar =
  | "Boolean"
  | "Decimal"
  | "Float"
  | "ISO8601Date"
  | "ISO8601Time"
  | "ISO8601Timestamp"
  | "Int"
  | "JSON"
  | "String"
  | "TimeZone";

export type GraphForm =
  | { is: "value"; scalar: GraphScalar }
  /** a value of an enumeration, which has a scalar of its own */
  | { is: "choice"; enumeration: string; values: readonly string[] }
  | { is: "id" }
  | { is: "texts" }
  | { is: "custom fields" }
  /** `isWritable`: false where it follows from other records */
  | { is: "reference"; targets: readonly string[]; isWritable: boolean }
  | { is: "references"; target: string }
  /** the owned children that the list of the same name has, too */
  | { is: "children" }
  /** the files of the record, or of one of its fields */
  | { is: "files"; field: string | null }
  | { is: "address of a file" }
  /** the record that the fields `type` and `id` name */
  | { is: "subject"; type: string; id: string };

/** Plain values of one scalar. */
export const asScalar = (scalar: GraphScalar) => (): GraphForm => ({ is: "value", scalar });
