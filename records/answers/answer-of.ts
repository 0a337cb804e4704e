import type { RecordTypes, TypeName } from "../index.ts";
import type { Members, ObjectValue, RecordOf, ReferenceValue, Shaped, ShapeValue } from "../vocabulary/index.ts";

/** The type of a response on both sides: `AnswerOf<typeof board>`. */
export type AnswerOf<S> = ShapeValue<S>;

type FirstAnswerTo<O> = O extends { answer: null } ? undefined : O extends { answer: infer S } ? AnswerOf<S> : never;
type OtherAnswersTo<O> = O extends { otherAnswers: infer R } ? { [S in keyof R]: FirstAnswerTo<R[S]> }[keyof R] : never;

/** The answer of an operation. */
export type AnswerTo<O> = FirstAnswerTo<O> | OtherAnswersTo<O>;

/** A record as GET shows it. */
export const recordOf = <const N extends TypeName>(type: N): Shaped<RecordOf<RecordTypes[N]>> => ({
  kind: "record",
  type,
});

/** A record inside an answer, as records show their references. */
export const referenceTo = (type: TypeName): Shaped<ReferenceValue> => ({ kind: "reference", to: type });

/** Some fields of a record, as lists show them. */
export type RecordPartOf<N extends TypeName, F extends string> = Pick<
  RecordOf<RecordTypes[N]>,
  ("id" | "nodeID" | F) & keyof RecordOf<RecordTypes[N]>
>;
type FieldOf<N extends TypeName> = keyof RecordOf<RecordTypes[N]> & string;

/** Some fields of a record and members beside them, with a schema of their own in the API reference. */
export const partOf = <const N extends TypeName, const F extends FieldOf<N>, const M extends Members>(
  name: string,
  type: N,
  fields: readonly F[],
  members: M,
): Shaped<Omit<RecordPartOf<N, F>, keyof M> & ObjectValue<M>> => ({
  kind: "record",
  type,
  part: { name, fields, members },
});
