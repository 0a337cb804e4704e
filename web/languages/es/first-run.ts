import type { firstRun as english } from "../en/first-run.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const firstRun = {
  "session.again": "Volver a iniciar sesión",
  "session.lead": "Su sesión ha terminado. Lo que ha escrito sigue aquí.",
  "session.password": "Contraseña",
  "session.continue": "Iniciar sesión y continuar",
  "session.other": "Iniciar sesión como otra persona",
  "steps.title": "Primeros pasos",
  "steps.progress": "{done} de {total}",
  "steps.look": "Mirar una solicitud",
  "steps.lookLead": "Qué se pidió y se dijo, qué objetivo cuenta",
  "steps.make": "Crear una solicitud",
  "steps.makeLead": "Un nombre, un servicio, una frase: lo demás se deduce",
  "steps.rule": "Escribir una regla y probarla",
  "steps.ruleLead": "La prueba muestra qué haría la regla y no cambia nada",
  "steps.webhook": "Añadir un webhook",
  "steps.webhookLead": "Otro programa se entera cuando algo cambia",
  "steps.invite": "Añadir a un colega",
  "steps.inviteLead": "Con un rol puede empezar enseguida",
  "steps.skip": "Omitir",
  "steps.skipName": "Omitir: {step}",
  "steps.done": "Hecho",
  "steps.skipped": "Omitido",
  "steps.hide": "Ocultar",
  "steps.allDone": "Todo hecho. Busque «Primeros pasos» para volver a verlos.",
  "steps.open": "Aún sin hacer",
} as const satisfies Translation<typeof english>;
