import { type DragEvent, useRef, useState } from "react";

// Moving items by pointer: cards between the columns of a board, rows of a backlog. Every list that accepts them is a
// zone. Callers must also offer a key and a menu.

/** `index`: before which of the other items of the zone, counted without the dragged one */
export type DropPlace = { zone: string; index: number };

type Options = { enabled: boolean; onDrop(item: string, place: DropPlace): void };

const format = "application/x-steward-card";

export function useDrag({ enabled, onDrop }: Options) {
  const [dragged, setDragged] = useState<{ item: string; height: number } | null>(null);
  const [over, setOver] = useState<DropPlace | null>(null);
  const begun = useRef<string | null>(null);
  const end = () => {
    begun.current = null;
    setDragged(null);
    setOver(null);
  };
  const source = (item: string) => ({
    "data-drag-item": item,
    "data-dragged": dragged?.item === item || undefined,
    ...(enabled
      ? {
          draggable: true,
          onDragStart(event: DragEvent<HTMLElement>) {
            event.dataTransfer.setData(format, item);
            event.dataTransfer.effectAllowed = "move";
            begun.current = item;
            const height = event.currentTarget.offsetHeight;
            // A browser aborts a drag if its element changes while it begins.
            setTimeout(() => begun.current === item && setDragged({ item, height }));
          },
          onDragEnd: end,
        }
      : {}),
  });
  const zone = (key: string) => ({
    "data-over": over?.zone === key || undefined,
    onDragOver(event: DragEvent<HTMLElement>) {
      if (!enabled || !event.dataTransfer.types.includes(format)) return;
      event.preventDefault();
      const index = findIndex(event, begun.current);
      setOver((was) => (was?.zone === key && was.index === index ? was : { zone: key, index }));
    },
    onDragLeave(event: DragEvent<HTMLElement>) {
      if (!(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget)))
        setOver((was) => (was?.zone === key ? null : was));
    },
    onDrop(event: DragEvent<HTMLElement>) {
      const item = event.dataTransfer.getData(format);
      if (item === "") return;
      event.preventDefault();
      const index = findIndex(event, item);
      end();
      onDrop(item, { zone: key, index });
    },
  });
  return { dragged, over, source, zone };
}

/** The items whose middle is above the pointer stay above. */
function findIndex({ currentTarget, clientY }: DragEvent<HTMLElement>, item: string | null): number {
  const others = [...currentTarget.querySelectorAll<HTMLElement>("[data-drag-item]")].filter(
    (each) => each.dataset.dragItem !== item,
  );
  const index = others.findIndex((each) => {
    const { top, height } = each.getBoundingClientRect();
    return clientY < top + height / 2;
  });
  return index < 0 ? others.length : index;
}
