import IconUser from "@tabler/icons-react/dist/esm/icons/IconUser.mjs";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { Icon } from "../../elements/icon.tsx";
import { Avatar } from "../../parts/people/avatar.tsx";
import { portalFormQueries } from "../../queries/portal/forms.ts";
import { useSettled } from "../home/search-box.tsx";
import { t } from "../words.ts";

export type Person = { id: number; name: string };

/** Me or another person: shown only to people who can read others of their organization. */
export function PersonChoice({ value, onChange }: { value: Person | null; onChange(person: Person | null): void }) {
  const { who } = useCurrentAccount();
  const [other, setOther] = useState(value !== null);
  const id = useId();
  return (
    <fieldset className="field">
      <legend className="label">{t("form.who")}</legend>
      <div className="choices">
        <label className="choice">
          <input
            type="radio"
            name={id}
            checked={!other}
            onChange={() => {
              setOther(false);
              onChange(null);
            }}
          />
          <span>
            <Avatar person={who.person} size={24} silent /> {t("form.me")}
          </span>
        </label>
        <label className="choice">
          <input type="radio" name={id} checked={other} onChange={() => setOther(true)} />
          <span>
            <Icon of={IconUser} size={18} /> {t("form.somebodyElse")}
          </span>
        </label>
      </div>
      {other && <PersonSearch value={value} onChange={onChange} />}
    </fieldset>
  );
}

function PersonSearch({ value, onChange }: { value: Person | null; onChange(person: Person | null): void }) {
  const { api } = useCurrentAccount();
  const [text, setText] = useState(value?.name ?? "");
  const settled = useSettled(text.trim());
  const id = useId();
  const { data } = useQuery({
    ...portalFormQueries.people(api, settled),
    enabled: settled.length > 1 && settled !== value?.name,
  });
  return (
    <div className="person-search">
      <label className="spoken" htmlFor={id}>
        {t("form.personName")}
      </label>
      <input
        id={id}
        className="input"
        value={text}
        autoComplete="off"
        placeholder={t("form.personName")}
        onChange={(event) => {
          setText(event.currentTarget.value);
          onChange(null);
        }}
      />
      {value === null && data !== undefined && settled.length > 1 && (
        <ul className="person-options">
          {data.map((person) => (
            <li key={person.id}>
              <button
                type="button"
                className="plain"
                onClick={() => {
                  setText(person.name);
                  onChange({ id: person.id, name: person.name });
                }}
              >
                <Avatar person={person} size={24} silent /> {person.name}{" "}
                <span className="quiet">{person.organization?.name}</span>
              </button>
            </li>
          ))}
          {data.length === 0 && <li className="quiet">{t("form.nobody")}</li>}
        </ul>
      )}
    </div>
  );
}
