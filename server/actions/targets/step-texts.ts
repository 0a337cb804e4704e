// The sentences that explain a target, per language. {braces} are filled in by target-steps.ts.

export type StepText =
  | "covered"
  | "covered via"
  | "everybody"
  | "supplier"
  | "promises"
  | "promises nothing"
  | "hours"
  | "always"
  | "started"
  | "changed"
  | "was stopped"
  | "is stopped"
  | "responded"
  | "respond by"
  | "resolved"
  | "resolve by"
  | "response"
  | "resolution"
  | "minutes"
  | "days"
  | "and"
  | "waiting_for_customer"
  | "provider_not_accountable"
  | "completed"
  | "sla_not_affected"
  | "standard_service_request";

export const englishSteps: Record<StepText, string> = {
  covered: "{sla} covers {person}.",
  "covered via": "{sla} covers {person} through {via}.",
  everybody: "{sla} is affected because an incident with this impact affects everyone.",
  supplier: "{sla} is affected because {service} depends on the service of this request.",
  promises: "{offering} commits to {promise} for {kind}.",
  "promises nothing": "{offering} sets no target for {kind} (best effort).",
  hours: "The clock runs during {hours} (time zone {zone}).",
  always: "The clock runs 24 hours a day.",
  started: "The clock started on {at}.",
  changed: "On {at}, {field} changed from {from} to {to}.",
  "was stopped": "The clock was paused from {from} to {to} ({minutes} min of these hours): {reason}.",
  "is stopped": "The clock has been paused since {from}: {reason}.",
  responded: "The response was given on {at}.",
  "respond by": "The response is due on {at}.",
  resolved: "The request was resolved on {at}.",
  "resolve by": "The resolution is due on {at}.",
  response: "response within {time}",
  resolution: "resolution within {time}",
  minutes: "{count} min",
  days: "{count} business days",
  and: " and ",
  waiting_for_customer: "waiting for customer",
  provider_not_accountable: "provider not accountable",
  completed: "request completed",
  sla_not_affected: "SLA not affected",
  standard_service_request: "this template",
};

export const stepTexts: Record<string, Record<StepText, string>> = {
  en: englishSteps,
  nl: {
    covered: "{person} valt onder {sla}.",
    "covered via": "{person} valt via {via} onder {sla}.",
    everybody: "{sla} is betrokken omdat een incident met deze impact iedereen raakt.",
    supplier: "{sla} is betrokken omdat {service} afhankelijk is van de service van deze aanvraag.",
    promises: "In {offering} geldt voor {kind}: {promise}.",
    "promises nothing": "{offering} kent geen doel voor {kind} (best effort).",
    hours: "De klok loopt tijdens {hours} (tijdzone {zone}).",
    always: "De klok loopt 24 uur per dag.",
    started: "De klok is gestart op {at}.",
    changed: "Op {at} is {field} gewijzigd van {from} in {to}.",
    "was stopped": "De klok was gepauzeerd van {from} tot {to} ({minutes} min van deze uren): {reason}.",
    "is stopped": "De klok is gepauzeerd sinds {from}: {reason}.",
    responded: "De reactie is gegeven op {at}.",
    "respond by": "De reactie moet uiterlijk op {at} zijn gegeven.",
    resolved: "De aanvraag is opgelost op {at}.",
    "resolve by": "De aanvraag moet uiterlijk op {at} zijn opgelost.",
    response: "reactie binnen {time}",
    resolution: "oplossing binnen {time}",
    minutes: "{count} min",
    days: "{count} werkdagen",
    and: " en ",
    waiting_for_customer: "wacht op klant",
    provider_not_accountable: "dienstverlener niet verantwoordelijk",
    completed: "aanvraag afgerond",
    sla_not_affected: "SLA niet betrokken",
    standard_service_request: "dit sjabloon",
  },
  de: {
    covered: "{sla} deckt {person} ab.",
    "covered via": "{sla} deckt {person} über {via} ab.",
    everybody: "{sla} ist betroffen, weil ein Incident mit dieser Auswirkung alle betrifft.",
    supplier: "{sla} ist betroffen, weil {service} vom Service dieser Anfrage abhängt.",
    promises: "{offering} sichert für {kind} Folgendes zu: {promise}.",
    "promises nothing": "{offering} legt für {kind} kein Ziel fest (Best Effort).",
    hours: "Die Uhr läuft in den Zeiten {hours} (Zeitzone {zone}).",
    always: "Die Uhr läuft 24 Stunden am Tag.",
    started: "Die Uhr startete am {at}.",
    changed: "Am {at} wurde {field} von {from} in {to} geändert.",
    "was stopped": "Die Uhr war von {from} bis {to} angehalten ({minutes} Min. dieser Zeiten): {reason}.",
    "is stopped": "Die Uhr ist seit {from} angehalten: {reason}.",
    responded: "Die Reaktion erfolgte am {at}.",
    "respond by": "Die Reaktion ist am {at} fällig.",
    resolved: "Die Anfrage wurde am {at} gelöst.",
    "resolve by": "Die Lösung ist am {at} fällig.",
    response: "Reaktion innerhalb von {time}",
    resolution: "Lösung innerhalb von {time}",
    minutes: "{count} Min.",
    days: "{count} Arbeitstagen",
    and: " und ",
    waiting_for_customer: "Warten auf Kunden",
    provider_not_accountable: "Anbieter nicht verantwortlich",
    completed: "Anfrage abgeschlossen",
    sla_not_affected: "SLA nicht betroffen",
    standard_service_request: "diese Vorlage",
  },
  fr: {
    covered: "{sla} couvre {person}.",
    "covered via": "{sla} couvre {person} par {via}.",
    everybody: "{sla} est concerné, car un incident de cet impact concerne tout le monde.",
    supplier: "{sla} est concerné, car {service} dépend du service de cette demande.",
    promises: "{offering} s’engage sur {promise} pour {kind}.",
    "promises nothing": "{offering} ne fixe aucun objectif pour {kind} (au mieux).",
    hours: "Le compteur tourne pendant {hours} (fuseau horaire {zone}).",
    always: "Le compteur tourne 24 heures sur 24.",
    started: "Le compteur a démarré le {at}.",
    changed: "Le {at}, {field} est passé de {from} à {to}.",
    "was stopped": "Le compteur a été en pause du {from} au {to} ({minutes} min de ces heures) : {reason}.",
    "is stopped": "Le compteur est en pause depuis le {from} : {reason}.",
    responded: "La réponse a été donnée le {at}.",
    "respond by": "La réponse est attendue avant le {at}.",
    resolved: "La demande a été résolue le {at}.",
    "resolve by": "La résolution est attendue avant le {at}.",
    response: "une réponse en {time}",
    resolution: "une résolution en {time}",
    minutes: "{count} min",
    days: "{count} jours ouvrés",
    and: " et ",
    waiting_for_customer: "en attente du client",
    provider_not_accountable: "fournisseur non responsable",
    completed: "demande terminée",
    sla_not_affected: "SLA non concerné",
    standard_service_request: "ce modèle",
  },
  es: {
    covered: "{sla} cubre a {person}.",
    "covered via": "{sla} cubre a {person} por {via}.",
    everybody: "{sla} está afectado porque un incidente con este impacto afecta a todos.",
    supplier: "{sla} está afectado porque {service} depende del servicio de esta solicitud.",
    promises: "Para {kind}, {offering} se compromete a {promise}.",
    "promises nothing": "Para {kind}, {offering} no fija ningún objetivo (mejor esfuerzo).",
    hours: "El reloj está en marcha durante {hours} (zona horaria {zone}).",
    always: "El reloj está en marcha las 24 horas del día.",
    started: "El reloj se puso en marcha el {at}.",
    changed: "El {at}, {field} cambió de {from} a {to}.",
    "was stopped": "El reloj estuvo en pausa desde el {from} hasta el {to} ({minutes} min de ese horario): {reason}.",
    "is stopped": "El reloj está en pausa desde el {from}: {reason}.",
    responded: "La respuesta se dio el {at}.",
    "respond by": "La respuesta vence el {at}.",
    resolved: "La solicitud se resolvió el {at}.",
    "resolve by": "La resolución vence el {at}.",
    response: "responder en {time}",
    resolution: "resolver en {time}",
    minutes: "{count} min",
    days: "{count} días laborables",
    and: " y ",
    waiting_for_customer: "en espera del cliente",
    provider_not_accountable: "proveedor no responsable",
    completed: "solicitud completada",
    sla_not_affected: "SLA no afectado",
    standard_service_request: "esta plantilla",
  },
};
