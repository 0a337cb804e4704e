import { Checkbox, Input, Radio, ScrollArea, Stack, Table, Text } from "@mantine/core";
import { memo, useId } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { MultiSelect } from "../../fields/pickers/multi-select.tsx";
import { currentLocale, t } from "../../languages/index.ts";
import { useScopeNames } from "../../queries/parts/scopes.ts";
import { PlainCheckbox } from "../forms/plain-checkbox.tsx";
import { useStableHandler } from "../lists/stable-handler.ts";
import { LoadingSkeleton } from "../loading-skeleton.tsx";
import { getScopeLabel } from "./scope-label.ts";
import { operations, type ScopeSelection } from "./scope-selection.ts";

/** On a phone the four operations are enough. */
const wideOnly = { visibleFrom: "xs" } as const;

type Props = {
  label: string;
  value: ScopeSelection;
  onChange(value: ScopeSelection): void;
  error?: string | undefined;
};

/** Chooses the permissions of a token or an application: everything, or a row of boxes per record type. */
export function ScopeChooser({ label, value, onChange, error }: Props) {
  const { who } = useCurrentAccount();
  const id = useId();
  return (
    <Stack gap="md">
      <Input.Wrapper label={label} error={error} labelElement="div" id={id}>
        <Radio.Group
          aria-labelledby={`${id}-label`}
          value={value.everything ? "everything" : "chosen"}
          onChange={(wanted) => onChange({ ...value, everything: wanted === "everything" })}
        >
          <Stack gap="xs" mt={6}>
            <Radio value="everything" label={t("scopes.everything")} description={t("scopes.everythingHint")} />
            <Radio value="chosen" label={t("scopes.chosen")} description={t("scopes.nothingHint")} />
          </Stack>
        </Radio.Group>
      </Input.Wrapper>
      {!value.everything && <Boxes value={value} onChange={onChange} label={label} />}
      {who.accounts.length > 1 && (
        <MultiSelect
          label={t("scopes.accounts")}
          description={t("scopes.accountsHint")}
          data={who.accounts.map((account) => ({ value: account.id, label: account.name }))}
          value={[...value.accounts]}
          onChange={(accounts) => onChange({ ...value, accounts })}
          clearable
        />
      )}
    </Stack>
  );
}

const nothing: readonly string[] = [];

function Boxes({
  value,
  onChange,
  label,
}: {
  value: ScopeSelection;
  onChange(value: ScopeSelection): void;
  label: string;
}) {
  const { data } = useScopeNames();
  const set = useStableHandler((name: string, words: readonly string[]) => {
    const { [name]: _, ...others } = value.operations;
    onChange({ ...value, operations: words.length === 0 ? others : { ...others, [name]: words } });
  });
  if (data === undefined) return <LoadingSkeleton />;
  const held = (name: string): readonly string[] => value.operations[name] ?? nothing;
  const rows = [
    { name: "*", label: t("scopes.anyType") },
    ...data
      .filter(({ name }) => name !== "me")
      .map((scope) => ({ name: scope.name, label: getScopeLabel(scope) }))
      .sort((one, other) => one.label.localeCompare(other.label, currentLocale())),
  ];
  return (
    <>
      <Checkbox
        label={t("scopes.me")}
        checked={held("me").length > 0}
        onChange={(event) => set("me", event.currentTarget.checked ? ["All"] : [])}
      />
      <ScrollArea.Autosize
        mah={420}
        className="card"
        viewportProps={{ tabIndex: 0, role: "region", "aria-label": label }}
      >
        <Table verticalSpacing={6} horizontalSpacing={6} stickyHeader>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("scopes.type")}</Table.Th>
              {(["all", ...operations] as const).map((operation) => (
                <Table.Th key={operation} ta="center" {...(operation === "all" ? wideOnly : {})}>
                  <Text fz={11} fw={700}>
                    {t(`scopes.${operation}`)}
                  </Text>
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ name, label: types }) => (
              <ScopeRow key={name} name={name} types={types} held={held(name)} onChange={set} />
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea.Autosize>
    </>
  );
}

type RowProps = {
  name: string;
  types: string;
  held: readonly string[];
  onChange(name: string, held: readonly string[]): void;
};

/** There are more than a hundred rows: a click re-renders only its own. */
const ScopeRow = memo(function ScopeRow({ name, types, held, onChange }: RowProps) {
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={name === "*" ? 600 : 400}>
        {types}
      </Table.Th>
      <Table.Td {...wideOnly}>
        <PlainCheckbox
          label={t("scopes.allOf", { types })}
          checked={held.length === operations.length}
          partly={held.length > 0 && held.length < operations.length}
          onChange={(event) => onChange(name, event.currentTarget.checked ? operations : [])}
        />
      </Table.Td>
      {operations.map((operation) => (
        <Table.Td key={operation}>
          <PlainCheckbox
            label={t("scopes.cell", { operation: t(`scopes.${operation}`), types })}
            checked={held.includes(operation)}
            onChange={(event) =>
              onChange(
                name,
                event.currentTarget.checked ? [...held, operation] : held.filter((word) => word !== operation),
              )
            }
          />
        </Table.Td>
      ))}
    </Table.Tr>
  );
});
