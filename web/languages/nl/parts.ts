import type { parts as english } from "../en/parts.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const parts = {
  "time.now": "nu",
  "time.minutesAgo": "{minutes} min geleden",
  "time.inMinutes": "over {minutes} min",
  "time.today": "Vandaag {time}",
  "time.tomorrow": "Morgen {time}",
  "time.seconds": "{seconds} s",
  "time.min": "{minutes} min",
  "time.h": "{hours} u",
  "time.hmin": "{hours} u {minutes} min",
  "time.days": "{days} d",

  "sla.met": "Gehaald",
  "sla.customer": "Klant",
  "sla.stopped": "Gestopt",
  "sla.stoppedLong": "De klok staat stil",
  "sla.bestEffort": "Naar vermogen",
  "sla.noTarget": "Geen doel",
  "sla.kind.response": "Reactiedoel",
  "sla.kind.resolution": "Oplosdoel",
  "sla.kind.desired": "Gewenste voltooiing",
  "sla.kind.any": "Volgend doel",

  "people.nobody": "Niemand",
  "people.you": "Jij",

  "states.forbidden": "Je mag dit niet zien",
  "states.forbiddenLead": "Een beheerder van het account kan je de rol geven die nodig is.",
  "states.forbiddenRoles": "{what} is te zien voor: {roles}. Een beheerder van het account kan je die rol geven.",
  "states.notFound": "Hier is niets",
  "states.notFoundRecord": "Er is geen {type} {id}",
  "states.notFoundLead": "Het heeft nooit bestaan, of hoort bij een account waarin je geen rol hebt.",
  "states.archived": { by: "state", trashed: "In de prullenbak sinds {when}. Er kan niets worden gewijzigd.", other: "Gearchiveerd: {when}. Er kan niets worden gewijzigd." },
  "states.archivedBy": { by: "state", trashed: "Naar de prullenbak verplaatst door {by} · {when}. Er kan niets worden gewijzigd.", other: "Gearchiveerd door {by} · {when}. Er kan niets worden gewijzigd." },
  "states.offline": "Geen verbinding. Wijzigingen worden bewaard.",
  "states.offlineWaiting": { one: "Geen verbinding. {count} wijziging wordt bewaard en later verstuurd.", other: "Geen verbinding. {count} wijzigingen worden bewaard en later verstuurd." },
  "states.details": "Details",
  "error.request": "Aanroep",
  "error.copyRequest": "Nummer van de aanroep kopiëren",

  "toast.undo": "Ongedaan maken",
  "property.change": "Druk om {label} te wijzigen",
} as const satisfies Translation<typeof english>;
