/** A timestamp that was selected as `to_json(… AT TIME ZONE 'UTC')`, which writes it without an offset. */
export const parseUtcTimestampOrNull = (json: string | null | undefined): string | null =>
  json == null ? null : `${JSON.parse(json)}Z`;
