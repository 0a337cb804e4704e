import type { ReactNode } from "react";
import { findEntry } from "../../base/type-index.ts";
import { tip } from "../../elements/tip.tsx";
import { shortChoiceLabel } from "../../languages/labels.ts";
import { type StatusShape, statusLook } from "./status-shape.ts";

const ring = <circle cx="8" cy="8" r="6" fill="none" strokeWidth="1.75" />;
const disc = <circle cx="8" cy="8" r="7" className="status-disc" />;

const shapes: Readonly<Record<StatusShape, ReactNode>> = {
  dashed: <circle cx="8" cy="8" r="6" fill="none" strokeWidth="1.5" strokeDasharray="2.2 2.5" strokeLinecap="round" />,
  ring,
  quarter: (
    <>
      {ring}
      <path d="M8 8V4.200A3.800 3.800 0 0 1 11.800 8Z" className="status-disc" />
    </>
  ),
  half: (
    <>
      {ring}
      <path d="M8 4.200a3.800 3.800 0 0 1 0 7.600Z" className="status-disc" />
    </>
  ),
  pause: (
    <>
      {ring}
      <path d="M6.600 6v4M9.400 6v4" strokeWidth="1.5" strokeLinecap="round" />
    </>
  ),
  clock: (
    <>
      {ring}
      <path d="M8 5.200V8.200L9.900 9.400" fill="none" strokeWidth="1.4" strokeLinecap="round" />
    </>
  ),
  tick: (
    <>
      {disc}
      <path d="M4.900 8.200l2.200 2.200 4-4.400" className="status-mark" />
    </>
  ),
  cross: (
    <>
      {disc}
      <path d="M5.700 5.700l4.600 4.600M10.300 5.700l-4.600 4.600" className="status-mark" />
    </>
  ),
  bar: (
    <>
      {disc}
      <path d="M5 8h6" className="status-mark" />
    </>
  ),
};

/** The enumeration with the labels of a type's status; several types share one. */
function statusEnumeration(type: string): string {
  return findEntry(type)?.statuses ?? `${type}.status`;
}

export const statusLabel = (type: string, status: string): string => shortChoiceLabel(statusEnumeration(type), status);

type Props = { type: string; status: string; size?: number };

/** Only the shape, with its name on hover and for screen readers. */
export function StatusIcon({ type, status, size = 16, silent = false }: Props & { silent?: boolean }) {
  const { shape, tone } = statusLook(status);
  const label = statusLabel(type, status);
  return (
    <span className="drawn" {...(silent || label === "" ? {} : { role: "img", "aria-label": label, ...tip(label) })}>
      <svg className="status-icon" data-tone={tone} width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
        {shapes[shape]}
      </svg>
    </span>
  );
}

/** Shape and text. */
export function StatusChip(props: Props) {
  return (
    <span className="status-chip">
      <StatusIcon {...props} silent />
      <span>{statusLabel(props.type, props.status)}</span>
    </span>
  );
}
