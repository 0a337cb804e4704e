import { TextInput } from "@mantine/core";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { useFormDraft } from "../../drafts/use-form-draft.ts";
import { Icon } from "../../elements/icon.tsx";
import { Select } from "../../fields/pickers/select.tsx";
import { t } from "../../languages/index.ts";
import { formatWorkId } from "../../parts/work/work-id.ts";
import { type Subject, timeQueries } from "../../queries/time.ts";

type Props = {
  opened: boolean;
  onOpened(opened: boolean): void;
  onAdd(subject: Subject, description: string | null): void;
};

function useFound(words: string) {
  const { api } = useCurrentAccount();
  const isWanted = words.trim().length > 1;
  const { data, isFetching } = useQuery({
    ...timeQueries.subjects(api, words),
    enabled: isWanted,
    placeholderData: keepPreviousData,
  });
  return { found: isWanted ? (data ?? []) : [], isLoading: isFetching };
}

type Description = { chosen: { subject: Subject; isRequired: boolean } | null; description: string };

/** Starts a new line: with an allocation, or a record found by search. */
export function AddLine({ opened, onOpened, onAdd }: Props) {
  const [words, setWords] = useState("");
  const { values, change, draft } = useFormDraft<Description>("timesheet/new_line", { chosen: null, description: "" });
  const { chosen, description } = values;
  const { api } = useCurrentAccount();
  const { data: allocations = [] } = useQuery({ ...timeQueries.allocations(api), enabled: opened });
  const { found, isLoading } = useFound(words);
  const close = () => {
    onOpened(false);
    setWords("");
    draft.remove();
  };
  const finish = (subject: Subject, text: string | null) => {
    onAdd(subject, text);
    close();
  };
  if (!opened && chosen === null)
    return (
      <button type="button" className="time-add-button" onClick={() => onOpened(true)}>
        <Icon of={IconPlus} size={14} />
        {t("time.addLine")}
      </button>
    );
  if (chosen !== null)
    return (
      <TextInput
        size="xs"
        autoFocus
        maxLength={80}
        w={360}
        aria-label={t("time.describe", { name: chosen.subject.name })}
        placeholder={t("time.describe", { name: chosen.subject.name })}
        value={description}
        onChange={(event) => change({ description: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key === "Escape") close();
          if (event.key !== "Enter" || (chosen.isRequired && description.trim() === "")) return;
          event.preventDefault();
          finish(chosen.subject, description.trim() === "" ? null : description.trim());
        }}
      />
    );
  const options = [
    ...allocations.map(({ id, name, localized_name, group, description_category }) => ({
      value: `time_allocation ${id}`,
      label: localized_name ?? name,
      subject: { type: "time_allocation" as const, id, name: localized_name ?? name, group: group ?? null },
      describes: description_category,
    })),
    ...found.map((subject) => ({
      value: `${subject.type} ${subject.id}`,
      label: `${formatWorkId(subject.type, subject.id)} ${subject.name}`,
      subject,
      describes: "hidden",
    })),
  ];
  return (
    <Select
      size="xs"
      w={420}
      searchable
      autoFocus
      defaultDropdownOpened
      aria-label={t("time.findSubject")}
      placeholder={t("time.findSubject")}
      nothingFoundMessage={t("time.nothingFound")}
      isLoading={isLoading}
      data={options.map(({ value, label }) => ({ value, label }))}
      // The server has already searched: its results may not contain the words in their title.
      filter={({ options: all, search }) =>
        all.filter(
          (option) =>
            "value" in option &&
            (!option.value.startsWith("time_allocation") || option.label.toLowerCase().includes(search.toLowerCase())),
        )
      }
      searchValue={words}
      onSearchChange={setWords}
      value={null}
      onChange={(value) => {
        const option = options.find((each) => each.value === value);
        if (option === undefined) return;
        if (["required", "optional"].includes(option.describes))
          change({ chosen: { subject: option.subject, isRequired: option.describes === "required" } });
        else finish(option.subject, null);
      }}
      onKeyDown={(event) => event.key === "Escape" && close()}
    />
  );
}
