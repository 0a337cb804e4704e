// Hints below inputs, by the name of the field, where its label does not say enough. They are for people who fill in a form:
// no names of the API, one sentence, in every language.

type Hint = Readonly<Record<"en" | "nl" | "de" | "fr" | "es", string>>;

export const hints: Readonly<Record<string, Hint>> = {
  inbound_email_local_part: {
    en: "The part of the email address before the @",
    nl: "Het deel vóór de @ van het adres waar mails naartoe gaan.",
    de: "Der Teil der E-Mail-Adresse vor dem @",
    fr: "La partie avant le @ de l’adresse à laquelle les courriels sont envoyés.",
    es: "La parte anterior a la @ de la dirección a la que se envían los correos.",
  },
  coordinator: {
    en: "Must be a team member. Unassigned work goes to the coordinator.",
    nl: "Een van de leden. Nieuw werk zonder lid komt daar terecht.",
    de: "Muss Teammitglied sein. Nicht zugewiesene Arbeit geht an den Koordinator.",
    fr: "L’un des membres. Le nouveau travail sans membre lui revient.",
    es: "Uno de los miembros. El trabajo nuevo sin miembro llega a esa persona.",
  },
  work_hours: {
    en: "The team's working hours, used for SLA targets and assignment",
    nl: "Wanneer hier gewerkt wordt. Doelen en toewijzingen tellen deze uren.",
    de: "Die Arbeitszeiten des Teams, maßgeblich für SLA-Ziele und Zuweisungen",
    fr: "Quand on travaille ici. Les objectifs et attributions comptent ces heures.",
    es: "Cuándo se trabaja aquí. Los objetivos y asignaciones cuentan estas horas.",
  },
  planned_effort: {
    en: "In minutes, or hours and minutes such as 1:30",
    nl: "Minuten, of uren en minuten zoals 1:30.",
    de: "In Minuten oder in Stunden und Minuten, z. B. 1:30",
    fr: "Minutes, ou heures et minutes comme 1:30.",
    es: "Minutos, u horas y minutos como 1:30.",
  },
  planned_duration: {
    en: "In minutes, or hours and minutes such as 1:30",
    nl: "Minuten, of uren en minuten zoals 1:30.",
    de: "In Minuten oder in Stunden und Minuten, z. B. 1:30",
    fr: "Minutes, ou heures et minutes comme 1:30.",
    es: "Minutos, u horas y minutos como 1:30.",
  },
  time_spent: {
    en: "In minutes, or hours and minutes such as 1:30",
    nl: "Minuten, of uren en minuten zoals 1:30.",
    de: "In Minuten oder in Stunden und Minuten, z. B. 1:30",
    fr: "Minutes, ou heures et minutes comme 1:30.",
    es: "Minutos, u horas y minutos como 1:30.",
  },
  note: {
    en: "Visible to everyone who can see this record",
    nl: "Iedereen die het record ziet, leest dit.",
    de: "Sichtbar für alle, die diesen Datensatz sehen können",
    fr: "Tous ceux qui voient l’enregistrement la lisent.",
    es: "La leen todos los que ven el registro.",
  },
  internal_note: {
    en: "Never visible to requesters",
    nl: "Aanvragers zien dit nooit.",
    de: "Für Anforderer nie sichtbar",
    fr: "Les demandeurs ne la voient jamais.",
    es: "Los solicitantes nunca la ven.",
  },
  waiting_until: {
    en: "When work should resume",
    nl: "Op dit moment komt het werk terug.",
    de: "Zeitpunkt, zu dem die Arbeit weitergehen soll",
    fr: "Le travail revient à ce moment.",
    es: "El trabajo vuelve en este momento.",
  },
  keywords: {
    en: "Search terms that help people find this",
    nl: "Woorden waarmee mensen het vinden.",
    de: "Suchbegriffe, mit denen andere dies finden",
    fr: "Les mots qui permettent de le trouver.",
    es: "Palabras con las que se encuentra.",
  },
  sourceID: {
    en: "The record's ID in the source system",
    nl: "Het nummer van het record in het systeem van herkomst.",
    de: "Die ID des Datensatzes im Quellsystem",
    fr: "Le numéro de l’enregistrement dans son système d’origine.",
    es: "El número del registro en el sistema de origen.",
  },
  source: {
    en: "The system this record was imported from",
    nl: "Het systeem waar het record vandaan komt.",
    de: "Das System, aus dem dieser Datensatz importiert wurde",
    fr: "Le système d’où vient l’enregistrement.",
    es: "El sistema del que procede el registro.",
  },
};
