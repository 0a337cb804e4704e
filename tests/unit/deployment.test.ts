import assert from "node:assert/strict";
import { execSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { validate } from "dockerfile-utils";
import { afterAll, describe, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { Metrics, renderMetrics } from "../../server/api/http/health.ts";

// The files in deploy/ aren't run here. They must be well formed and consistent, and name only existing settings and metrics.

const root = join(import.meta.dirname, "..", "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const start = /node (.*)$/.exec(JSON.parse(read("package.json")).scripts.start)?.[1] ?? "";
const settings = new Set(
  [...read("docs/operations.md").matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, names = ""]) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name),
  ),
);
const requireSettings = (names: readonly string[]) => {
  for (const name of names) assert.ok(settings.has(name) || /^AWS_/.test(name), `${name} is no setting`);
};

describe("the image", () => {
  const text = read("deploy/Dockerfile");
  const last = text.slice(text.lastIndexOf("\nFROM "));

  test("has a valid Dockerfile", () => {
    assert.deepEqual(
      validate(text).map(({ message, range }) => `line ${range.start.line + 1}: ${message}`),
      [],
    );
  });

  test("copies existing files and starts like npm, as an unprivileged user with a health check", () => {
    for (const [, words = ""] of text.matchAll(/^COPY (?!--from)(.+)$/gm))
      for (const source of words.split(" ").slice(0, -1)) assert.ok(existsSync(join(root, source)), source);
    assert.match(last, /^USER [1-9]\d*$/m);
    assert.match(last, /^HEALTHCHECK .*\/health\/ready/ms);
    const command = JSON.parse(/^CMD (\[.*\])$/m.exec(last)?.[1] ?? "[]") as string[];
    assert.deepEqual(command, ["node", ...start.split(" ")]);
    const environment = /^ENV (.*)$/m.exec(last)?.[1] ?? "";
    requireSettings(
      environment
        .split(" ")
        .map((pair) => pair.split("=")[0] ?? "")
        .filter((name) => name !== "NODE_ENV"),
    );
  });
});

test("the systemd unit starts like npm and contains only directives", () => {
  const lines = read("deploy/steward.service").split("\n");
  for (const line of lines) assert.match(line, /^$|^#|^\[(Unit|Service|Install)\]$|^[A-Z]\w+=.+$/);
  assert.ok(lines.includes(`ExecStart=/opt/steward/node_modules/.bin/node ${start}`));
});

test("the compose file names existing settings and waits for the database", () => {
  const { services, volumes } = parse(read("deploy/compose.yaml"));
  requireSettings(Object.keys(services.steward.environment));
  assert.equal(services.steward.depends_on.database.condition, "service_healthy");
  assert.ok(services.database.healthcheck.test.includes("pg_isready"));
  for (const { volumes: mounts } of Object.values(services) as { volumes: string[] }[])
    for (const mount of mounts) {
      const source = mount.split(":")[0] ?? "";
      assert.ok(source.startsWith("./") ? existsSync(join(root, "deploy", source)) : source in volumes, mount);
    }
});

test("the Kubernetes manifests are consistent", () => {
  const documents = parseAllDocuments(read("deploy/kubernetes/steward.yaml"));
  assert.deepEqual(
    documents.flatMap(({ errors, warnings }) => [...errors, ...warnings]),
    [],
  );
  // biome-ignore lint/suspicious/noExplicitAny: parsed from text
  const objects = documents.map((document) => document.toJS() as any);
  // biome-ignore lint/suspicious/noExplicitAny: parsed from text
  const find = (kind: string): any => objects.find((object) => object.kind === kind);
  for (const { apiVersion, kind, metadata } of objects) assert.ok(apiVersion && kind && metadata.name === "steward");
  requireSettings([...Object.keys(find("ConfigMap").data), ...Object.keys(find("Secret").stringData)]);
  const { selector, template } = find("Deployment").spec;
  const { labels } = template.metadata;
  for (const wanted of [
    selector.matchLabels,
    find("Service").spec.selector,
    find("PodDisruptionBudget").spec.selector.matchLabels,
  ])
    assert.deepEqual(wanted, labels);
  const [container] = template.spec.containers;
  assert.equal(container.ports[0].name, find("Service").spec.ports[0].targetPort);
  assert.equal(template.spec.securityContext.runAsNonRoot, true);
  assert.equal(container.securityContext.readOnlyRootFilesystem, true);
  for (const { name } of container.volumeMounts)
    assert.ok(template.spec.volumes.some((volume: { name: string }) => volume.name === name));
});

describe("monitoring", () => {
  const rendered = renderMetrics([new Metrics().takeSnapshot(1)], { due: 0, failing: 0, dead: 0 }, 0);
  const known = new Set(["up", ...[...rendered.matchAll(/^(\w+)[ {]/gm)].map(([, name]) => name)]);
  known.add("steward_requests_total"); // has no series before the first response
  const requireMetrics = (expression: string) => {
    const names = expression.match(/\b(steward|process)_\w+/g) ?? [];
    for (const name of names) assert.ok(known.has(name), `${name} in ${expression}`);
    assert.ok(names.length > 0 || /\bup\b/.test(expression), expression);
  };

  test("every metric of the dashboard exists", () => {
    const { panels } = JSON.parse(read("deploy/monitoring/grafana-dashboard.json"));
    for (const { targets } of panels) for (const { expr } of targets) requireMetrics(expr);
    assert.equal(new Set(panels.map(({ id }: { id: number }) => id)).size, panels.length);
  });

  test("every metric of the alerts exists, and each alert has instructions", () => {
    const [{ rules }] = parse(read("deploy/monitoring/alerts.yaml")).groups;
    for (const { expr, labels, annotations } of rules) {
      requireMetrics(expr);
      assert.match(labels.severity, /^(warning|critical)$/);
      assert.ok(annotations.summary && annotations.description);
    }
  });
});

describe("before npm start", () => {
  const { prestart } = JSON.parse(read("package.json")).scripts as { prestart: string };
  const folder = mkdtempSync(join(tmpdir(), "steward-build-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const write = (path: string, text: string) => {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  /** Counts how often the script starts Node, which would build missing or outdated output. */
  const countBuilds = () => {
    execSync(prestart, { cwd: folder, env: { PATH: `${folder}/bin:${process.env.PATH}` } });
    return readFileSync(join(folder, "builds"), "utf8").split("\n").length - 1;
  };
  for (const file of ["web/a.ts", "records/a.ts", "markup/a.ts", "server/a.ts", "demo/a.ts", "package-lock.json"])
    write(file, "");
  for (const made of ["web/dist/built-from", "node_modules/.cache/steward-server/built-from"]) write(made, "");
  write("tools/build-if-changed.sh", read("tools/build-if-changed.sh"));
  write("bin/node", `#!/bin/sh\necho "$@" >>${folder}/builds\n`);
  chmodSync(join(folder, "bin/node"), 0o755);

  test("Node starts only if a file's size or time differs", () => {
    const counts = [countBuilds(), countBuilds()];
    write("server/a.ts", "changed");
    counts.push(countBuilds(), countBuilds());
    rmSync(join(folder, "records/a.ts"));
    counts.push(countBuilds());
    rmSync(join(folder, "web/dist/built-from"));
    counts.push(countBuilds());
    // `find` prints no times on other systems, so Node starts every time.
    assert.deepEqual(counts, process.platform === "linux" ? [1, 1, 2, 2, 3, 4] : [1, 2, 3, 4, 5, 6]);
    const made = readFileSync(join(folder, "builds"), "utf8");
    assert.equal(made, "tools/build.ts\n".repeat(counts.at(-1) as number));
  });
});
