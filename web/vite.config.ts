import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type Plugin } from "vite";
import { register } from "../records/index.ts";
import { de } from "../records/languages/de.ts";
import { en } from "../records/languages/en.ts";
import { es } from "../records/languages/es.ts";
import { fr } from "../records/languages/fr.ts";
import type { Language } from "../records/languages/language.ts";
import { nl } from "../records/languages/nl.ts";
import { grants } from "../records/people/roles.ts";

const server = process.env.STEWARD_URL ?? "http://127.0.0.1:8080";

const buildTypeIndex = () =>
  register.map((type) => {
    const {
      name,
      collection,
      storage: { journal },
      access: { restricted, onlyRoles },
      routes: { singleton, onlyThroughLinks },
    } = type;
    const { enumeration } = (type.fields.status ?? {}) as { enumeration?: string };
    return {
      name,
      ...(collection === `${name}s` ? {} : { collection }),
      ...(journal ? { storage: { journal } } : {}),
      ...(restricted || onlyRoles !== null ? { access: { restricted, onlyRoles } } : {}),
      ...(type.ownedBy.length === 0 && !singleton && !onlyThroughLinks ? { listed: true } : {}),
      ...(enumeration === undefined || enumeration === `${name}.status` ? {} : { statuses: enumeration }),
    };
  });

/** What each role is granted, without the conditions, which only the server evaluates: one grant for each type. */
const buildGrants = () =>
  Object.fromEntries(
    Object.entries(grants).map(([role, list]) => {
      const types = [...new Set(list.map(({ on }) => on))];
      const pickMay = (type: string) => new Set(list.flatMap(({ on, may }) => (on === type ? may : [])));
      return [role, types.map((on) => ({ on, may: [...pickMay(on)] }))];
    }),
  );

/** The choices that rows of the inbox show. */
const pickFirstChoices = ({ choices }: Language): Language["choices"] =>
  Object.fromEntries(
    Object.entries(choices).filter(([name]) => /^(request|task|problem|project_task)\.(status|impact)$/.test(name)),
  );

/** Modules that are a small part of a large declaration, or a text of the repository; see virtual-modules.d.ts. */
function smallParts(): Plugin {
  const languages: Readonly<Record<string, Language>> = { en, nl, de, fr, es };
  const wanted = /^virtual:(type-index|grants|change-log|first-choices\/(\w+))$/;
  return {
    name: "small-parts",
    resolveId: (id) => (wanted.test(id) ? `\0${id}` : null),
    load(id) {
      const [, what, language = ""] = wanted.exec(id.slice(1)) ?? [];
      if (!id.startsWith("\0") || what === undefined) return null;
      if (what === "change-log") {
        const text = readFileSync(join(import.meta.dirname, "../CHANGELOG.md"), "utf8");
        return `export const changeLog = ${JSON.stringify(text)};`;
      }
      if (what === "grants") return `export const grants = ${JSON.stringify(buildGrants())};`;
      if (what === "type-index") return `export const types = ${JSON.stringify(buildTypeIndex())};`;
      return `export const choices = ${JSON.stringify(pickFirstChoices(languages[language] ?? en))};`;
    },
  };
}

const isEntry = (id: string): boolean => /\.html$|main\.tsx$/.test(id);
const [workspaceStart, portalStart] = ["main.tsx", "portal/main.tsx"].map((file) =>
  join(import.meta.dirname, file),
) as [string, string];
const inboxScreen = `${import.meta.dirname}/workspace/inbox/inbox.tsx`;
/** The pages that are opened all day. */
const everydayScreens = ["lists/list-screen", "new-request/new-request", "work-item/request-page"].map(
  (screen) => `${import.meta.dirname}/workspace/${screen}.tsx`,
);

type FindModule = (id: string) => { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[] } | null;
const below = new Map<string, Set<string>>();

/** Whether a module is loaded with another one, by its imports and theirs; or, `later`, from it at any time. */
function isBelow(start: string, id: string, find: FindModule, later = false): boolean {
  const key = `${start} ${later}`;
  const found = below.get(key) ?? new Set<string>();
  const add = (each: string): void => {
    if (found.has(each)) return;
    found.add(each);
    const { importedIds = [], dynamicallyImportedIds = [] } = find(each) ?? {};
    for (const next of later ? [...importedIds, ...dynamicallyImportedIds] : importedIds) add(next);
  };
  if (found.size === 0) add(start);
  below.set(key, found);
  return found.has(id);
}

export default defineConfig({
  root: import.meta.dirname,
  base: "/web/",
  plugins: [smallParts()],
  // React has useSyncExternalStore itself; the shim for older versions would only add weight.
  resolve: { alias: { "use-sync-external-store/shim": "use-sync-external-store" } },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: {
      polyfill: false,
      // The frame lists what each page loads beside itself. Small files are named by the page that needs them, and left out:
      // the list would weigh more than what is gained.
      resolveDependencies: (_file, names, { hostType }) =>
        hostType === "html" ? names : names.filter((name) => /\.css$|\/shared-/.test(name)),
    },
    reportCompressedSize: false,
    // Which file needs which: tests/unit/web-weight.test.ts adds up what a page loads.
    manifest: "manifest.json",
    // An icon inlined as a data: URL would need a wider content security policy than the page has.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      // The workspace and the portal: nobody loads the other one.
      input: ["index.html", "portal.html"].map((page) => join(import.meta.dirname, page)),
      // Libraries mark their files for servers that render React; here that means nothing.
      onwarn: (warning, warn) => warning.code === "MODULE_LEVEL_DIRECTIVE" || warn(warning),
      output: {
        // Many small files compress badly. So what every page needs is one file, the inbox is another, and what most
        // pages share is a third, which is loaded when the first page stands and nothing else is to be done.
        codeSplitting: {
          groups: [
            {
              debugName: "base",
              tags: ["$initial"],
              test: (id) => !isEntry(id),
              name(id, context) {
                const find: FindModule = (each) => context.getModuleInfo(each);
                // What the build itself adds, and what both begin with.
                if (id.startsWith("\0") && !id.includes("virtual:")) return "base";
                if (!isBelow(portalStart, id, find)) return null;
                // The styles of the portal come with its scripts, and they lay out names of the workspace in another way: no
                // page of the workspace may need a part of that file.
                if (isBelow(workspaceStart, id, find) || isBelow(inboxScreen, id, find)) return "base";
                if (isBelow(workspaceStart, id, find, true)) return "either";
                return /\/web\/(queries\/)?portal\/|\.css$/.test(id) ? "portal" : "base";
              },
              priority: 5,
            },
            // What both load, the portal later than its first page. In a file with parts of the workspace, a page of the portal
            // would load those and their styles, which lay out the same names in another way.
            {
              debugName: "both",
              test: (id) => !isEntry(id) && !id.includes("/languages/"),
              name(id, context) {
                const find: FindModule = (each) => context.getModuleInfo(each);
                if (isBelow(portalStart, id, find) || !isBelow(portalStart, id, find, true)) return null;
                if (!isBelow(workspaceStart, id, find, true)) return null;
                if (isBelow(workspaceStart, id, find) || isBelow(inboxScreen, id, find)) return "common";
                if (!id.includes("tabler")) return "texts";
                // Everyday pages would load all icons for one of them.
                return everydayScreens.some((screen) => isBelow(screen, id, find)) ? "common" : "icons";
              },
              priority: 4,
            },
            { debugName: "frame", tags: ["$initial"], test: (id) => !isEntry(id), name: "frame", priority: 3 },
            {
              debugName: "inbox",
              name: (id, context) => (isBelow(inboxScreen, id, (each) => context.getModuleInfo(each)) ? "inbox" : null),
              // A library names all of its parts in one file, most of which the inbox does not use.
              test: (id) => !id.includes("node_modules") || id.includes("tabler"),
              priority: 2,
            },
            {
              debugName: "shared",
              // Not what the portal uses, too: it would load all of it. Nor what only rare pages share.
              name(id, context) {
                const find: FindModule = (each) => context.getModuleInfo(each);
                if (isBelow(portalStart, id, find, true)) return null;
                // What only the page of work items uses comes with it, also for workflows and projects.
                const users = everydayScreens.filter((screen) => isBelow(screen, id, find));
                const isOwn = users.length === 1 && /\/workspace\/work-item\//.test(id);
                return users.length > 0 && !isOwn ? "shared" : null;
              },
              // Few pages show times in another zone than the reader's.
              test: (id) => !/\/(time-zones|iana-zone)\.ts$/.test(id),
              minShareCount: 3,
              priority: 1,
            },
          ],
        },
      },
    },
  },
  // While developing (npm run dev:web) the pages come from Vite and everything else from a running server.
  server: { proxy: Object.fromEntries(["/v1", "/session-api", "/sign_in", "/assets"].map((path) => [path, server])) },
});
