import { Button, TextInput } from "@mantine/core";
import IconBolt from "@tabler/icons-react/dist/esm/icons/IconBolt.mjs";
import IconGitBranch from "@tabler/icons-react/dist/esm/icons/IconGitBranch.mjs";
import IconPlayerPlay from "@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import IconRepeat from "@tabler/icons-react/dist/esm/icons/IconRepeat.mjs";
import IconVariable from "@tabler/icons-react/dist/esm/icons/IconVariable.mjs";
import { type ReactNode, useMemo } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Row } from "../../api/index.ts";
import { linkTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { findType } from "../../base/record-types.ts";
import { Icon, type IconComponent } from "../../elements/icon.tsx";
import { Select } from "../../fields/pickers/select.tsx";
import { t } from "../../languages/index.ts";
import { collectionLabel, lowerFirst } from "../../languages/labels.ts";
import { readLink } from "../read-link.ts";
import { addLabels } from "./editor/action-labels.ts";
import { CodeArea } from "./editor/code-area.tsx";
import { placeValues } from "./editor/placed-values.ts";
import { genericTypes, pickLinks, placeMistake, type RulePart } from "./editor/rule-draft.ts";
import { type KnownNames, listNames } from "./editor/rule-syntax.ts";
import { describeTrigger, listTriggers } from "./editor/triggers.ts";
import type { CompletionSource } from "./editor/use-completion.ts";
import type { RuleLoop } from "./rule-answers.ts";
import type { RuleEditor } from "./use-rule-editor.ts";

type Props = { row: Row; editor: RuleEditor; writable: boolean };

/** The name, records and texts of a rule. */
export function RuleFields({ row, editor, writable }: Props) {
  const { draft, change, checked } = editor;
  const problem = checked?.problem ?? null;
  return (
    <>
      <RuleHead row={row} editor={editor} writable={writable} />
      <Section icon={IconBolt} title={t("ruleEditor.when")} lead={t("ruleEditor.whenLead")} inline>
        <Select
          aria-label={t("ruleEditor.when")}
          className="rule-trigger"
          data={listTriggers(editor.type).map((value) => ({ value, label: describeTrigger(value) }))}
          value={draft.trigger}
          allowDeselect={false}
          searchable
          readOnly={!writable}
          onChange={(trigger) => change({ trigger: trigger ?? draft.trigger })}
        />
      </Section>
      <Section icon={IconVariable} title={t("ruleEditor.let")} lead={t("ruleEditor.letLead")}>
        <RuleText part="expressions" rows={2} editor={editor} writable={writable} />
      </Section>
      <Section icon={IconGitBranch} title={t("ruleEditor.if")} lead={t("ruleEditor.ifLead")}>
        <RuleText part="condition" rows={1} editor={editor} writable={writable} />
      </Section>
      <Section icon={IconPlayerPlay} title={t("ruleEditor.then")} lead={t("ruleEditor.thenLead")}>
        <RuleText part="actions" rows={2} editor={editor} writable={writable} />
        <div className="rule-snippets">
          {writable &&
            snippets.map(({ key, text }) => (
              <Button
                key={key}
                size="xs"
                variant="default"
                leftSection={<Icon of={IconPlus} size={14} />}
                onClick={() => change({ actions: addLine(draft.actions, text) })}
              >
                {t(`ruleEditor.add.${key}`)}
              </Button>
            ))}
        </div>
        <Loops loops={problem === null ? (checked?.loops ?? []) : []} />
      </Section>
      <p className="rule-keys">{t("ruleEditor.keys")}</p>
    </>
  );
}

function RuleHead({ row, editor: { draft, change, chooseGeneric }, writable }: Props) {
  return (
    <div className="rule-head">
      <TextInput
        label={t("ruleEditor.name")}
        value={draft.name}
        maxLength={128}
        readOnly={!writable}
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
      />
      {draft.generic === null ? (
        <AppliesTo row={row} />
      ) : (
        <Select
          label={t("ruleEditor.appliesTo")}
          data={genericTypes.map((name) => ({ value: name, label: describeAll(name) }))}
          value={draft.generic}
          allowDeselect={false}
          readOnly={!writable}
          onChange={chooseGeneric}
        />
      )}
    </div>
  );
}

/** All names with which a path in the texts can begin. */
function collectFields(typeName: string | null): ReadonlySet<string> {
  const type = typeName === null ? undefined : findType(typeName);
  if (type === undefined) return new Set();
  return new Set([type.fields, type.links, type.children, type.lists].flatMap((table) => Object.keys(table)));
}

type TextProps = Omit<Props, "row"> & { part: RulePart; rows: number };

/** One of the three texts, with its errors and the values of the last dry run. */
function RuleText({ part, rows, editor, writable }: TextProps) {
  const { draft, change, checked, record, tried, type, buildBody } = editor;
  const known: KnownNames = useMemo(
    () => ({ fields: collectFields(type), names: new Set(listNames(draft.expressions).keys()) }),
    [type, draft.expressions],
  );
  const values = useMemo(() => placeValues(draft, tried), [draft, tried]);
  const source: CompletionSource = {
    part,
    record,
    buildRule: (text) => ({
      rule: buildBody({ ...draft, [part]: text }),
      shifts: part === "actions" ? addLabels(text).shifts : text.split("\n").map(() => 0),
    }),
  };
  return (
    <CodeArea
      label={t(`ruleEditor.text.${part}`)}
      value={draft[part]}
      rows={rows}
      onChange={(text) => change({ [part]: text })}
      readOnly={!writable}
      known={known}
      problem={placeMistake(draft, part, checked?.problem ?? null)}
      values={values[part]}
      source={source}
    />
  );
}

/** The texts that the buttons below the actions insert. */
const snippets = [
  { key: "set", text: "set " },
  { key: "note", text: "add internal note ''" },
  { key: "wait", text: "after 1.day start ''" },
  { key: "email", text: "send email to  subject '' body ''" },
  { key: "webhook", text: "call webhook ''" },
] as const;

const addLine = (text: string, line: string): string => (text.trim() === "" ? line : `${text.trimEnd()}\n${line}`);

const describeAll = (name: string): string => {
  const type = findType(name);
  return t("ruleEditor.allOf", { records: type === undefined ? name : lowerFirst(collectionLabel(type)) });
};

/** The records to which a rule is linked, unless it runs for all records of a type. */
function AppliesTo({ row }: { row: Row }) {
  const { account } = useCurrentAccount();
  const linked = Object.keys(pickLinks(row)).flatMap((name) => {
    const type = findType(name);
    const value = readLink(row[name]);
    if (type === undefined || value === null) return [];
    return [{ type, value, label: value.subject ?? value.name ?? `#${value.id}` }];
  });
  return (
    <div>
      <span className="rule-label-text">{t("ruleEditor.appliesTo")}</span>
      <ul className="rule-links">
        {linked.length === 0 && <li>{t("rules.nothing")}</li>}
        {linked.map(({ type, value, label }) => (
          <li key={type.name}>
            <a {...withoutComponent(linkTo(paths.record(account.id, type, value.id)))}>{label}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}

const withoutComponent = ({ component: _, ...link }: ReturnType<typeof linkTo>) => link;

/** `inline`: its only field is in the line of the title */
type SectionProps = { icon: IconComponent; title: string; lead: string; inline?: boolean; children: ReactNode };

const Section = ({ icon, title, lead, inline = false, children }: SectionProps) => (
  <section className="rule-section" data-inline={inline || undefined}>
    <span className="rule-section-icon">
      <Icon of={icon} size={18} />
    </span>
    <div className="rule-section-body">
      <h2>
        {title} {!inline && <small>{lead}</small>}
      </h2>
      {children}
      {inline && <small>{lead}</small>}
    </div>
  </section>
);

const Loops = ({ loops }: { loops: readonly RuleLoop[] }) =>
  loops.map(({ action, through }) => (
    <p key={action} className="rule-loop" role="status">
      <Icon of={IconRepeat} />
      {through.length === 0
        ? t("ruleEditor.loop", { action })
        : t("ruleEditor.loopThrough", { action, rules: through.join(", ") })}
    </p>
  ));
