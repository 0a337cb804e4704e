import type { listLayouts as english } from "../en/list-layouts.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const listLayouts: Translation<typeof english> = {
  "layout.choose": "Diseño",
  "layout.table": "Tabla",
  "layout.board": "Tablero por estado",
  "layout.calendar": "Calendario",
  "board.move": "Mover a",
  "board.card": "Acciones de {name}",
  "board.empty": "Suelte tarjetas aquí",
  "board.moved": "{name} movido a {status}",
  "board.more": "Mostrar más ({count} de {total} mostrados)",
  "board.keys": "Pulse Mayús y una flecha para mover la tarjeta al estado siguiente.",
  "calendar.previous": "Mes anterior",
  "calendar.next": "Mes siguiente",
  "calendar.today": "Hoy",
  "calendar.by": "Campo de fecha",
  "calendar.more": "{count} más",
  "calendar.empty": "No hay registros este mes",
  "calendar.cut": "Se muestran los primeros {count} registros de este mes",
  "bulk.tag": "Etiqueta",
  "view.default": "Predeterminada del equipo",
  "view.makeDefault": "Establecer como predeterminada del equipo",
  "view.noDefault": "Quitar como predeterminada del equipo",
  "filter.sheet": { one: "Filtros, {count} activo", other: "Filtros, {count} activos" },
  "filter.done": "Mostrar resultados",
  "row.menu": "Acciones de {name}",
  "row.open": "Abrir",
  "row.openTab": "Abrir en otra pestaña",
  "row.select": "Seleccionar",
  "row.keyMenu": "Abrir menú de la fila",
};
