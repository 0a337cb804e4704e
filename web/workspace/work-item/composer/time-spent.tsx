import { Button, Popover, TextInput } from "@mantine/core";
import IconStopwatch from "@tabler/icons-react/dist/esm/icons/IconStopwatch.mjs";
import { useActions } from "../../../actions/registry.ts";
import { formatMinutes } from "../../../base/moments.ts";
import { Icon } from "../../../elements/icon.tsx";
import { parseMinutes } from "../../../fields/time/parse-minutes.ts";
import { t } from "../../../languages/index.ts";

const steps = [5, 15, 30, 60];

type Props = {
  /** as typed */
  time: string;
  onChange(time: string): void;
  opened: boolean;
  onOpened(opened: boolean): void;
  /** the time is chosen: the text gets the focus again */
  onDone(): void;
};

/** The typed text applies immediately: Send must not wait for Enter. */
export function TimeSpent({ time, onChange, opened, onOpened, onDone }: Props) {
  const add = t("request.time.add");
  useActions([
    { id: "composer.time", name: add, group: "write", keys: "t", icon: IconStopwatch, run: () => onOpened(true) },
  ]);
  const choose = (value: string) => {
    onChange(value);
    onOpened(false);
    onDone();
  };
  const minutes = parseMinutes(time);
  const isUnreadable = time.trim() !== "" && minutes === null;
  const shown = minutes === null ? time.trim() : formatMinutes(minutes);
  return (
    <Popover opened={opened} onChange={onOpened} position="top-end" trapFocus width={220}>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<Icon of={IconStopwatch} />}
          aria-label={shown === "" ? add : t("request.time.value", { time: shown })}
          onClick={() => onOpened(!opened)}
        >
          {shown === "" ? <span className="quiet">{t("request.time.short")}</span> : shown}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (!isUnreadable) choose(time);
          }}
        >
          <TextInput
            data-autofocus
            size="xs"
            label={t("request.time.spent")}
            placeholder="1:30"
            value={time}
            error={isUnreadable ? t("request.time.unknown") : undefined}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
        </form>
        <div className="time-steps">
          {steps.map((step) => (
            <Button key={step} size="compact-xs" variant="default" onClick={() => choose(String(step))}>
              {formatMinutes(step)}
            </Button>
          ))}
          {time !== "" && (
            <Button size="compact-xs" variant="subtle" onClick={() => choose("")}>
              {t("request.time.none")}
            </Button>
          )}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
