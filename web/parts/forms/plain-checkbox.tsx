import { type ComponentProps, useEffect, useRef } from "react";

type Props = Omit<ComponentProps<"input">, "type" | "className" | "aria-label"> & { label: string; partly?: boolean };

/**
 * A checkbox in a table. A plain input, because a library component in each row costs more than the rest of the row.
 */
export function PlainCheckbox({ label, partly = false, ...others }: Props) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = partly;
  }, [partly]);
  return <input ref={box} type="checkbox" className="plain-checkbox" aria-label={label} {...others} />;
}
