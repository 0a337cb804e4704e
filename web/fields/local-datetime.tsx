import { datetime } from "./datetime.tsx";
import type { FieldKind } from "./kind.ts";

// A moment on the wall, wherever the wall is. Other moments are written in the zone of the reader, and only their wall
// clock is looked at here: so this one, which has no zone, is shown and edited in the same way.

export const localDatetime: FieldKind = datetime;
