import { ActionIcon } from "@mantine/core";
import IconArrowLeft from "@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs";
import IconArrowRight from "@tabler/icons-react/dist/esm/icons/IconArrowRight.mjs";
import IconGripVertical from "@tabler/icons-react/dist/esm/icons/IconGripVertical.mjs";
import IconMinus from "@tabler/icons-react/dist/esm/icons/IconMinus.mjs";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import IconSettings from "@tabler/icons-react/dist/esm/icons/IconSettings.mjs";
import IconTrash from "@tabler/icons-react/dist/esm/icons/IconTrash.mjs";
import { type DragEvent, type PointerEvent, type ReactNode, useRef, useState } from "react";
import { Icon, type IconComponent } from "../../../elements/icon.tsx";
import { tip } from "../../../elements/tip.tsx";
import { t } from "../../../languages/index.ts";
import { getWidth, isFigure, type TileChoice } from "./tile-choice.ts";

export const frameId = (id: string): string => `tile-${id}`;

/** The commands on a tile, by pointer and by button; keys are actions of the page. */
export type TileCommands = {
  select(id: string): void;
  move(id: string, step: -1 | 1): void;
  place(id: string, other: string, after: boolean): void;
  resize(id: string, width: number): void;
  configure(id: string): void;
  remove(id: string): void;
};

type Props = {
  choice: TileChoice;
  title: string;
  /** null: read mode */
  commands: TileCommands | null;
  place: number;
  count: number;
  children: ReactNode;
};

const format = "application/x-steward-tile";

/**
 * A tile's frame on the page. In edit mode the tile itself is only a picture, and the frame handles all interaction.
 */
export function EditFrame({ choice, title, commands, place, count, children }: Props) {
  const [over, setOver] = useState<"before" | "after" | null>(null);
  const [stretched, setStretched] = useState<number | null>(null);
  const width = stretched ?? getWidth(choice);
  const style = { "--tile-width": width };
  if (commands === null)
    return (
      <div className="tile-frame" style={style}>
        {children}
      </div>
    );
  const sideOf = ({ currentTarget, clientX }: DragEvent<HTMLElement>): "before" | "after" => {
    const { left, width: size } = currentTarget.getBoundingClientRect();
    return clientX < left + size / 2 ? "before" : "after";
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a tile is no fieldset
    <div
      className="tile-frame"
      id={frameId(choice.id)}
      style={style}
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys act on the focused tile
      tabIndex={0}
      aria-label={t("dashboard.tileAt", { title, place, count })}
      data-editing
      data-over={over ?? undefined}
      draggable
      onFocus={() => commands.select(choice.id)}
      onDragStart={(event) => {
        event.dataTransfer.setData(format, choice.id);
        event.dataTransfer.effectAllowed = "move";
      }}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes(format)) return;
        event.preventDefault();
        setOver(sideOf(event));
      }}
      onDragLeave={(event) => {
        const to = event.relatedTarget;
        if (!(to instanceof Node && event.currentTarget.contains(to))) setOver(null);
      }}
      onDrop={(event) => {
        const moved = event.dataTransfer.getData(format);
        const side = sideOf(event);
        setOver(null);
        if (moved === "") return;
        event.preventDefault();
        commands.place(moved, choice.id, side === "after");
      }}
    >
      <div className="tile-edit-bar">
        <span className="tile-grip" aria-hidden="true">
          <Icon of={IconGripVertical} />
        </span>
        <Tool
          icon={IconArrowLeft}
          name={t("dashboard.moveBefore")}
          title={title}
          disabled={place === 1}
          run={() => commands.move(choice.id, -1)}
        />
        <Tool
          icon={IconArrowRight}
          name={t("dashboard.moveAfter")}
          title={title}
          disabled={place === count}
          run={() => commands.move(choice.id, 1)}
        />
        {!isFigure(choice) && (
          <>
            <Tool
              icon={IconMinus}
              name={t("dashboard.narrower")}
              title={title}
              run={() => commands.resize(choice.id, getWidth(choice) - 1)}
            />
            <Tool
              icon={IconPlus}
              name={t("dashboard.wider")}
              title={title}
              run={() => commands.resize(choice.id, getWidth(choice) + 1)}
            />
          </>
        )}
        <Tool
          icon={IconSettings}
          name={t("dashboard.configure")}
          title={title}
          run={() => commands.configure(choice.id)}
        />
        <Tool icon={IconTrash} name={t("dashboard.removeTile")} title={title} run={() => commands.remove(choice.id)} />
      </div>
      <div inert className="tile-picture">
        {children}
      </div>
      {!isFigure(choice) && (
        <WidthHandle
          width={width}
          onStretch={setStretched}
          onDone={(wanted) => {
            setStretched(null);
            commands.resize(choice.id, wanted);
          }}
        />
      )}
    </div>
  );
}

type ToolProps = { icon: IconComponent; name: string; title: string; disabled?: boolean; run(): void };

const Tool = ({ icon, name, title, disabled = false, run }: ToolProps) => (
  <ActionIcon
    variant="subtle"
    c="var(--text-2)"
    size={26}
    aria-label={t("dashboard.toolOf", { title, name })}
    disabled={disabled}
    {...tip(name)}
    onClick={run}
  >
    <Icon of={icon} />
  </ActionIcon>
);

type HandleProps = { width: number; onStretch(width: number): void; onDone(width: number): void };

/** The right edge: dragging it changes the width by columns, each one twenty-fourth of the grid. */
function WidthHandle({ width, onStretch, onDone }: HandleProps) {
  const begun = useRef<{ x: number; width: number; column: number } | null>(null);
  const widthAt = ({ clientX }: PointerEvent): number => {
    const start = begun.current;
    if (start === null) return width;
    return Math.min(24, Math.max(6, Math.round(start.width + (clientX - start.x) / start.column)));
  };
  return (
    <div
      className="tile-handle"
      aria-hidden="true"
      draggable
      // Without this the browser would start to drag the tile.
      onDragStart={(event) => {
        event.preventDefault();
        event.stopPropagation();
      }}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        const grid = event.currentTarget.closest<HTMLElement>(".dashboard-grid");
        if (grid === null) return;
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        begun.current = { x: event.clientX, width, column: grid.clientWidth / 24 };
      }}
      onPointerMove={(event) => begun.current !== null && onStretch(widthAt(event))}
      onPointerUp={(event) => {
        if (begun.current === null) return;
        const wanted = widthAt(event);
        begun.current = null;
        onDone(wanted);
      }}
    />
  );
}
