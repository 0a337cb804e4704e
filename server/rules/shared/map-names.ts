/** An object with one value per name: a statement per table, for instance. */
export const mapNames = <N extends string, V>(names: readonly N[], build: (name: N) => V): Readonly<Record<N, V>> =>
  Object.fromEntries(names.map((name) => [name, build(name)])) as Record<N, V>; // fromEntries loses the names
