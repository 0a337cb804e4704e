import type { shell as english } from "../en/shell.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const shell = {
  "app.name": "Steward",
  "app.skip": "Ir al contenido",
  "app.menu": "Menú",
  "app.navigation": "Principal",
  "app.account": "Cuenta",
  "app.switchAccount": "Cambiar de cuenta",
  "app.userMenu": "Menú de usuario",
  "app.profile": "Perfil",
  "app.portal": "Ver como solicitante",
  "app.signOut": "Cerrar sesión",
  "app.apiDocs": "Referencia de la API",
  "app.theme": "Apariencia",
  "app.theme.light": "Claro",
  "app.theme.dark": "Oscuro",
  "app.theme.auto": "Sistema",
  "app.loading": "Cargando",
  "app.arrivingWork": "Cargando tres meses de trabajo de ejemplo. Las páginas se llenarán en un momento.",
  "app.close": "Cerrar",

  "group.work": "Trabajo",
  "group.people": "Personas",
  "group.configuration": "Servicios y tableros",
  "group.settings": "Configuración",
  "group.journal": "Auditoría, archivo y papelera",


  "search.label": "Buscar",
  "search.placeholder": "Buscar",
  "broadcast.region": "Anuncios",
  "broadcast.outage": "Interrupción",
  "broadcast.warning": "Advertencia",
  "broadcast.available": "Resuelto",
  "broadcast.info": "Información",
  "broadcast.more": { one: "{count} más", other: "{count} más" },
  "broadcast.tellMe": "Notificarme cuando se resuelva",
  "broadcast.told": "Se le notificará",
  "broadcast.subscribed": "Se le notificará cuando se resuelva",
  "broadcast.close": "Cerrar mensaje",
} as const satisfies Translation<typeof english>;
