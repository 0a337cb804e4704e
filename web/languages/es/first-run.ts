import type { firstRun as english } from "../en/first-run.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const firstRun = {
  "session.again": "Volver a iniciar sesión",
  "session.lead": "Su sesión ha caducado. Lo que ha escrito sigue aquí.",
  "session.password": "Contraseña",
  "session.continue": "Iniciar sesión y continuar",
  "session.other": "Iniciar sesión como otra persona",
  "steps.title": "Primeros pasos",
  "steps.progress": "{done} de {total}",
  "steps.look": "Abrir una solicitud",
  "steps.lookLead": "Vea la pregunta, la conversación y el objetivo",
  "steps.make": "Crear una solicitud",
  "steps.makeLead": "Basta con un nombre, un servicio y una frase",
  "steps.rule": "Crear y probar una regla",
  "steps.ruleLead": "La prueba muestra lo que haría la regla, sin cambiar nada",
  "steps.webhook": "Añadir un webhook",
  "steps.webhookLead": "Avise a otro sistema cuando algo cambie",
  "steps.invite": "Añadir a un colega",
  "steps.inviteLead": "Asígnele un rol para que pueda empezar enseguida",
  "steps.skip": "Omitir",
  "steps.skipName": "Omitir: {step}",
  "steps.done": "Hecho",
  "steps.skipped": "Omitido",
  "steps.hide": "Ocultar",
  "steps.allDone": "Todo hecho. Busque «Primeros pasos» para volver a verlos.",
  "steps.open": "Pendiente",
} as const satisfies Translation<typeof english>;
