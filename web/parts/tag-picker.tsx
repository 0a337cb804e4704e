import { TagsInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useCurrentAccount } from "../api/current-account.ts";
import { t } from "../languages/index.ts";
import { tagQueries } from "../queries/parts/tags.ts";

type Props = {
  value: readonly string[];
  onChange(tags: string[]): void;
  label: string;
  /** for pages that already show the label beside it */
  isLabelHidden?: boolean;
  size?: "xs" | "sm";
};

/** Tags by name: existing ones are offered, any other is created. */
export default function TagPicker({ value, onChange, label, isLabelHidden = false, size = "sm" }: Props) {
  const { api } = useCurrentAccount();
  const [text, setText] = useState("");
  const [search] = useDebouncedValue(text.trim(), 150);
  const { data } = useQuery(tagQueries.search(api, search));
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
