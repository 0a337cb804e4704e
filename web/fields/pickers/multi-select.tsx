import { MultiSelect as MantineMultiSelect, type MultiSelectProps } from "@mantine/core";
import { type PickerProps, useFirstMatch } from "./use-first-match.ts";

/** Chooses several values from a list. */
export function MultiSelect({ isLoading, ...pickerProps }: MultiSelectProps & PickerProps) {
  const { props } = useFirstMatch({ ...pickerProps, isLoading }, null);
  return (
    <MantineMultiSelect
      {...pickerProps}
      {...props}
      nothingFoundMessage={pickerProps.nothingFoundMessage ?? props.nothingFoundMessage}
    />
  );
}
