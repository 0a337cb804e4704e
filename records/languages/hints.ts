// Hints below inputs, by the name of the field, where its label does not say enough. They are for people who fill in a form:
// no names of the API, one sentence, in every language.

type Hint = Readonly<Record<"en" | "nl" | "de" | "fr" | "es", string>>;

export const hints: Readonly<Record<string, Hint>> = {
  inbound_email_local_part: {
    en: "The part of the email address before the @",
    nl: "Het deel van het e-mailadres vóór de @",
    de: "Der Teil der E-Mail-Adresse vor dem @",
    fr: "La partie de l’adresse e-mail avant le @",
    es: "La parte de la dirección de correo anterior a la @",
  },
  coordinator: {
    en: "Must be a team member. Unassigned work goes to the coordinator.",
    nl: "Moet lid van het team zijn. Werk zonder behandelaar gaat naar de coördinator.",
    de: "Muss Teammitglied sein. Nicht zugewiesene Arbeit geht an den Koordinator.",
    fr: "Doit être membre de l’équipe. Le travail non attribué lui revient.",
    es: "Debe ser miembro del equipo. El trabajo sin asignar llega al coordinador.",
  },
  work_hours: {
    en: "The team's working hours, used for SLA targets and assignment",
    nl: "De werktijden van het team, gebruikt voor SLA-doelen en toewijzing",
    de: "Die Arbeitszeiten des Teams, maßgeblich für SLA-Ziele und Zuweisungen",
    fr: "Heures de travail de l’équipe, utilisées pour les objectifs SLA et l’attribution",
    es: "El horario laboral del equipo, que se usa para los objetivos de SLA y la asignación",
  },
  planned_effort: {
    en: "In minutes, or hours and minutes such as 1:30",
    nl: "In minuten, of uren en minuten zoals 1:30",
    de: "In Minuten oder in Stunden und Minuten, z. B. 1:30",
    fr: "En minutes, ou en heures et minutes comme 1:30",
    es: "En minutos, o en horas y minutos como 1:30",
  },
  planned_duration: {
    en: "In minutes, or hours and minutes such as 1:30",
    nl: "In minuten, of uren en minuten zoals 1:30",
    de: "In Minuten oder in Stunden und Minuten, z. B. 1:30",
    fr: "En minutes, ou en heures et minutes comme 1:30",
    es: "En minutos, o en horas y minutos como 1:30",
  },
  time_spent: {
    en: "In minutes, or hours and minutes such as 1:30",
    nl: "In minuten, of uren en minuten zoals 1:30",
    de: "In Minuten oder in Stunden und Minuten, z. B. 1:30",
    fr: "En minutes, ou en heures et minutes comme 1:30",
    es: "En minutos, o en horas y minutos como 1:30",
  },
  note: {
    en: "Visible to everyone who can see this record",
    nl: "Zichtbaar voor iedereen die dit record kan zien",
    de: "Sichtbar für alle, die diesen Datensatz sehen können",
    fr: "Visible par toutes les personnes qui peuvent voir cette fiche",
    es: "Visible para todas las personas que pueden ver este registro",
  },
  internal_note: {
    en: "Never visible to requesters",
    nl: "Nooit zichtbaar voor aanvragers",
    de: "Für Anforderer nie sichtbar",
    fr: "Jamais visible par les demandeurs",
    es: "Nunca visible para los solicitantes",
  },
  waiting_until: {
    en: "When work should resume",
    nl: "Wanneer het werk moet worden hervat",
    de: "Zeitpunkt, zu dem die Arbeit weitergehen soll",
    fr: "Date de reprise du travail",
    es: "Cuándo debe reanudarse el trabajo",
  },
  keywords: {
    en: "Search terms that help people find this",
    nl: "Zoektermen waarmee dit te vinden is",
    de: "Suchbegriffe, mit denen andere dies finden",
    fr: "Termes de recherche qui aident à trouver cet élément",
    es: "Términos de búsqueda que ayudan a encontrarlo",
  },
  sourceID: {
    en: "The record's ID in the source system",
    nl: "Het ID van het record in het bronsysteem",
    de: "Die ID des Datensatzes im Quellsystem",
    fr: "ID de la fiche dans le système source",
    es: "El ID del registro en el sistema de origen",
  },
  source: {
    en: "The system this record was imported from",
    nl: "Het systeem waaruit dit record is geïmporteerd",
    de: "Das System, aus dem dieser Datensatz importiert wurde",
    fr: "Système d’où cette fiche a été importée",
    es: "El sistema desde el que se importó este registro",
  },
};
