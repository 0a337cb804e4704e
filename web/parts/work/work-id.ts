import { workIdPrefixes } from "../../../records/work/work-ids.ts";

/** The number of a work record as people write it: 48213, T-9920, P-611. */
export const formatWorkId = (type: string, id: number): string => `${workIdPrefixes[type] ?? ""}${id}`;
