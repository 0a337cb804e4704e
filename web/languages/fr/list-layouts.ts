import type { listLayouts as english } from "../en/list-layouts.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const listLayouts: Translation<typeof english> = {
  "layout.choose": "Affichage",
  "layout.table": "Tableau",
  "layout.board": "Tableau par statut",
  "layout.calendar": "Calendrier",
  "board.move": "Déplacer vers",
  "board.card": "Actions pour {name}",
  "board.empty": "Déposer ici",
  "board.moved": "{name} : {status}",
  "board.more": "{count} sur {total} affichés. Afficher plus",
  "board.keys": "Maj et une flèche déplacent la carte au statut suivant.",
  "calendar.previous": "Mois précédent",
  "calendar.next": "Mois suivant",
  "calendar.today": "Aujourd’hui",
  "calendar.by": "Par date",
  "calendar.more": "{count} de plus",
  "calendar.empty": "Rien ce mois-ci",
  "calendar.cut": "Les {count} premiers de ce mois sont affichés",
  "bulk.tag": "Étiquette",
  "view.default": "Par défaut de l’équipe",
  "view.makeDefault": "L’ouvrir d’abord pour l’équipe",
  "view.noDefault": "Ne plus l’ouvrir d’abord",
  "filter.sheet": { one: "Filtre, {count} actif", other: "Filtres, {count} actifs" },
  "filter.done": "Afficher",
  "row.menu": "Actions pour {name}",
  "row.open": "Ouvrir",
  "row.openTab": "Ouvrir dans un nouvel onglet",
  "row.select": "Sélectionner",
  "row.keyMenu": "Menu de la ligne",
};
