import { formatMinutes } from "../base/moments.ts";

/** "1 h 25 min" */
export const Duration = ({ minutes }: { minutes: number }) => (
  <time dateTime={`PT${Math.round(minutes)}M`}>{formatMinutes(minutes)}</time>
);
