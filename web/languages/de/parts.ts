import type { parts as english } from "../en/parts.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const parts = {
  "time.now": "jetzt",
  "time.minutesAgo": "vor {minutes} Min.",
  "time.inMinutes": "in {minutes} Min.",
  "time.today": "Heute {time}",
  "time.tomorrow": "Morgen {time}",
  "time.seconds": "{seconds} s",
  "time.min": "{minutes} Min.",
  "time.h": "{hours} Std.",
  "time.hmin": "{hours} Std. {minutes} Min.",
  "time.days": "{days} T.",

  "sla.met": "Erreicht",
  "sla.customer": "Kunde",
  "sla.stopped": "Angehalten",
  "sla.stoppedLong": "Die Uhr ist angehalten",
  "sla.bestEffort": "Nach Möglichkeit",
  "sla.noTarget": "Kein Ziel",
  "sla.kind.response": "Reaktionsziel",
  "sla.kind.resolution": "Lösungsziel",
  "sla.kind.desired": "Gewünschter Abschluss",
  "sla.kind.any": "Nächstes Ziel",

  "people.nobody": "Niemand",
  "people.you": "Sie",

  "states.forbidden": "Sie dürfen das nicht sehen",
  "states.forbiddenLead": "Ein Administrator des Kontos kann Ihnen die nötige Rolle geben.",
  "states.forbiddenRoles": "{what} sehen: {roles}. Ein Administrator des Kontos kann Ihnen diese Rolle geben.",
  "states.notFound": "Hier ist nichts",
  "states.notFoundRecord": "{type} {id} gibt es nicht",
  "states.notFoundLead": "Es hat nie existiert oder gehört zu einem Konto, an dem Sie nicht beteiligt sind.",
  "states.archived": { by: "state", trashed: "Im Papierkorb seit {when}. Nichts kann geändert werden.", other: "Archiviert: {when}. Nichts kann geändert werden." },
  "states.archivedBy": { by: "state", trashed: "In den Papierkorb verschoben von {by} · {when}. Nichts kann geändert werden.", other: "Archiviert von {by} · {when}. Nichts kann geändert werden." },
  "states.offline": "Nicht verbunden. Änderungen werden aufgehoben.",
  "states.offlineWaiting": { one: "Nicht verbunden. {count} Änderung wird aufgehoben und später gesendet.", other: "Nicht verbunden. {count} Änderungen werden aufgehoben und später gesendet." },
  "states.details": "Einzelheiten",
  "error.request": "Anfrage",
  "error.copyRequest": "Nummer der Anfrage kopieren",

  "toast.undo": "Rückgängig",
  "property.change": "Drücken, um {label} zu ändern",
} as const satisfies Translation<typeof english>;
