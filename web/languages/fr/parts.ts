import type { parts as english } from "../en/parts.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const parts = {
  "time.now": "maintenant",
  "time.minutesAgo": "il y a {minutes} min",
  "time.inMinutes": "dans {minutes} min",
  "time.today": "Aujourd’hui {time}",
  "time.tomorrow": "Demain {time}",
  "time.seconds": "{seconds} s",
  "time.min": "{minutes} min",
  "time.h": "{hours} h",
  "time.hmin": "{hours} h {minutes} min",
  "time.days": "{days} j",

  "sla.met": "Atteint",
  "sla.customer": "Client",
  "sla.stopped": "Arrêté",
  "sla.stoppedLong": "Le chronomètre est arrêté",
  "sla.bestEffort": "Au mieux",
  "sla.noTarget": "Pas d’objectif",
  "sla.kind.response": "Objectif de réponse",
  "sla.kind.resolution": "Objectif de résolution",
  "sla.kind.desired": "Achèvement souhaité",
  "sla.kind.any": "Prochain objectif",

  "people.nobody": "Personne",
  "people.you": "Vous",

  "states.forbidden": "Vous ne pouvez pas voir ceci",
  "states.forbiddenLead": "Un administrateur du compte peut vous donner le rôle nécessaire.",
  "states.forbiddenRoles": "{what} : visible pour {roles}. Un administrateur du compte peut vous donner ce rôle.",
  "states.notFound": "Il n’y a rien ici",
  "states.notFoundRecord": "Il n’y a pas de {type} {id}",
  "states.notFoundLead": "Cela n’a jamais existé, ou appartient à un compte auquel vous n’avez pas accès.",
  "states.archived": { by: "state", trashed: "Dans la corbeille depuis {when}. Rien ne peut être modifié.", other: "Archivé : {when}. Rien ne peut être modifié." },
  "states.archivedBy": { by: "state", trashed: "Mis à la corbeille par {by} · {when}. Rien ne peut être modifié.", other: "Archivé par {by} · {when}. Rien ne peut être modifié." },
  "states.offline": "Non connecté. Les modifications sont conservées.",
  "states.offlineWaiting": { one: "Non connecté. {count} modification est conservée et sera envoyée.", other: "Non connecté. {count} modifications sont conservées et seront envoyées." },
  "states.details": "Détails",
  "error.request": "Requête",
  "error.copyRequest": "Copier le numéro de la requête",

  "toast.undo": "Annuler",
  "property.change": "Appuyez pour modifier {label}",
} as const satisfies Translation<typeof english>;
