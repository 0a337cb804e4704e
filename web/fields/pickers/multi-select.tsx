import { MultiSelect as MantineMultiSelect, type MultiSelectProps } from "@mantine/core";
import { type PickerProps, useFirstMatch } from "./use-first-match.ts";

/** Chooses several values from a list. */
export function MultiSelect({ isLoading, ...given }: MultiSelectProps & PickerProps) {
  const { props } = useFirstMatch({ ...given, isLoading }, null);
  return (
    <MantineMultiSelect
      {...given}
      {...props}
      nothingFoundMessage={given.nothingFoundMessage ?? props.nothingFoundMessage}
    />
  );
}
