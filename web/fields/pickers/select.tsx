import { Select as MantineSelect, type SelectProps } from "@mantine/core";
import { useMergedRef } from "@mantine/hooks";
import { useEffect, useEffectEvent, useRef } from "react";
import { type PickerProps, useFirstMatch } from "./use-first-match.ts";

/** Chooses one value from a list. Its label is selected while the input has the focus, so that typing replaces it. */
export function Select({ isLoading, ...pickerProps }: SelectProps & PickerProps) {
  const { props, search, isTyped } = useFirstMatch({ ...pickerProps, isLoading }, pickerProps.value ?? null);
  const input = useRef<HTMLInputElement>(null);
  const selectLabel = () => {
    if (!isTyped) input.current?.select();
  };
  const onLabel = useEffectEvent(() => {
    if (input.current === document.activeElement) selectLabel();
  });
  // The label may arrive after the focus.
  useEffect(() => {
    if (search) onLabel();
  }, [search]);
  return (
    <MantineSelect
      {...pickerProps}
      {...props}
      ref={useMergedRef(input, pickerProps.ref)}
      nothingFoundMessage={pickerProps.nothingFoundMessage ?? props.nothingFoundMessage}
      onFocus={(event) => {
        selectLabel();
        pickerProps.onFocus?.(event);
      }}
      onClick={(event) => {
        selectLabel();
        pickerProps.onClick?.(event);
      }}
    />
  );
}
