/** Some values of a row, by name. */
export function pickFields<Row extends object, N extends keyof Row>(
  row: Row,
  names: Iterable<N>,
): Partial<Pick<Row, N>> {
  const picked: Partial<Pick<Row, N>> = {};
  for (const name of names) picked[name] = row[name];
  return picked;
}
