import type { RecordType } from "../../../../records/vocabulary/index.ts";
import type { Row } from "../../../api/index.ts";

export type PanelProps = { type: RecordType; row: Row };
