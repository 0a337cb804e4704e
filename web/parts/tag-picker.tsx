import { TagsInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { suggestTags } from "../api.ts";
import { useCurrentAccount } from "../current-account.ts";
import { t } from "../languages/index.ts";

type Props = {
  value: readonly string[];
  onChange(tags: string[]): void;
  label: string;
  /** the label is shown beside it already */
  isLabelHidden?: boolean;
  size?: "xs" | "sm";
};

/** Tags by their name: those in use are offered, any other is new. */
export default function TagPicker({ value, onChange, label, isLabelHidden = false, size = "sm" }: Props) {
  const { account } = useCurrentAccount();
  const [text, setText] = useState("");
  const [search] = useDebouncedValue(text.trim(), 150);
  const { data } = useQuery({
    queryKey: [account.id, "tags", search],
    queryFn: () => suggestTags(account.id, search),
    staleTime: 30_000,
    retry: false,
  });
  return (
    <TagsInput
      size={size}
      data-autofocus
      autoFocus
      {...(isLabelHidden ? { "aria-label": label } : { label })}
      placeholder={value.length === 0 ? t("tags.add") : undefined}
      data={data ?? []}
      value={[...value]}
      searchValue={text}
      onSearchChange={setText}
      maxTags={20}
      acceptValueOnBlur
      onChange={onChange}
      comboboxProps={{ withinPortal: false }}
    />
  );
}
