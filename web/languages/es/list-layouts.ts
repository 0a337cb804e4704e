import type { listLayouts as english } from "../en/list-layouts.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const listLayouts: Translation<typeof english> = {
  "layout.choose": "Vista",
  "layout.table": "Tabla",
  "layout.board": "Tablero por estado",
  "layout.calendar": "Calendario",
  "board.move": "Mover a",
  "board.card": "Acciones para {name}",
  "board.empty": "Soltar aquí",
  "board.moved": "{name}: {status}",
  "board.more": "{count} de {total} mostrados. Mostrar más",
  "board.keys": "Mayús y una flecha mueven la tarjeta al estado siguiente.",
  "calendar.previous": "Mes anterior",
  "calendar.next": "Mes siguiente",
  "calendar.today": "Hoy",
  "calendar.by": "Por fecha",
  "calendar.more": "{count} más",
  "calendar.empty": "Nada en este mes",
  "calendar.cut": "Se muestran los primeros {count} de este mes",
  "bulk.tag": "Etiqueta",
  "view.default": "Predeterminada del equipo",
  "view.makeDefault": "Abrirla primero para el equipo",
  "view.noDefault": "No abrirla más la primera",
  "filter.sheet": { one: "Filtro, {count} en uso", other: "Filtros, {count} en uso" },
  "filter.done": "Mostrar",
  "row.menu": "Acciones para {name}",
  "row.open": "Abrir",
  "row.openTab": "Abrir en una pestaña nueva",
  "row.select": "Seleccionar",
  "row.keyMenu": "Menú de la fila",
};
