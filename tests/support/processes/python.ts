import { execFileSync, spawnSync } from "node:child_process";

// Reads archives with another program, where Python is installed.

export const hasPython = spawnSync("python3", ["--version"]).status === 0;

/** Runs a program that has the archive as `z`; returns its output. */
export function runInPython(archive: Buffer, program: string): unknown {
  const read = `import sys, io, json, zipfile, xml.dom.minidom\nz = zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read()))\n${program}`;
  return JSON.parse(execFileSync("python3", ["-c", read], { input: archive, maxBuffer: 2 ** 28 }).toString());
}
