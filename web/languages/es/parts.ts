import type { parts as english } from "../en/parts.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const parts = {
  "time.now": "ahora",
  "time.minutesAgo": "hace {minutes} min",
  "time.inMinutes": "en {minutes} min",
  "time.today": "Hoy {time}",
  "time.tomorrow": "Mañana {time}",
  "time.seconds": "{seconds} s",
  "time.min": "{minutes} min",
  "time.h": "{hours} h",
  "time.hmin": "{hours} h {minutes} min",
  "time.days": "{days} d",

  "sla.met": "Cumplido",
  "sla.customer": "Cliente",
  "sla.stopped": "Detenido",
  "sla.stoppedLong": "El reloj está detenido",
  "sla.bestEffort": "Mejor esfuerzo",
  "sla.noTarget": "Sin objetivo",
  "sla.kind.response": "Objetivo de respuesta",
  "sla.kind.resolution": "Objetivo de resolución",
  "sla.kind.desired": "Finalización deseada",
  "sla.kind.any": "Próximo objetivo",

  "people.nobody": "Nadie",
  "people.you": "Tú",

  "states.forbidden": "No puedes ver esto",
  "states.forbiddenLead": "Un administrador de la cuenta puede darte el rol necesario.",
  "states.forbiddenRoles": "{what}: visible para {roles}. Un administrador de la cuenta puede darte ese rol.",
  "states.notFound": "Aquí no hay nada",
  "states.notFoundRecord": "No hay {type} {id}",
  "states.notFoundLead": "Nunca existió, o pertenece a una cuenta en la que no participas.",
  "states.archived": { by: "state", trashed: "En la papelera desde {when}. No se puede cambiar nada.", other: "Archivado: {when}. No se puede cambiar nada." },
  "states.archivedBy": { by: "state", trashed: "Enviado a la papelera por {by} · {when}. No se puede cambiar nada.", other: "Archivado por {by} · {when}. No se puede cambiar nada." },
  "states.offline": "Sin conexión. Los cambios se conservan.",
  "states.offlineWaiting": { one: "Sin conexión. Se conserva {count} cambio y se enviará.", other: "Sin conexión. Se conservan {count} cambios y se enviarán." },
  "states.details": "Detalles",
  "error.request": "Solicitud",
  "error.copyRequest": "Copiar el número de la solicitud",

  "toast.undo": "Deshacer",
  "property.change": "Pulsa para cambiar {label}",
} as const satisfies Translation<typeof english>;
