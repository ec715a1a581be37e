import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '../logs/log';
import type { Found, Step } from './chain';
import type { ToolchainConfig } from './config';
import { findOnPath, isExecutable } from './executable';
import { makeOnce } from './make-once';
import { runTool } from './run-tool';

/** One program of a Go module. */
interface GoProgram {
  /** The package of its `main`, without a version. */
  package: string;
  /** The file to make; all programs of one build are in one directory. */
  target: string;
}

export interface GoBuild {
  /** The tool, as messages name it. */
  tool: string;
  /** Pinned: `v1.2.3`. */
  version: string;
  /** Duration of a build on two cores, in words. Default: about 5 minutes. */
  takes?: string;
  /** The program to answer. */
  main: GoProgram;
  /** Programs to build with it, from the same module. */
  others?: readonly GoProgram[];
}

const BUILD_TIMEOUT_MS = 30 * 60_000;

/** Builds into a directory of its own first, so that an interrupted build never leaves half a file. */
async function goInstall(go: string, { version, main, others = [] }: GoBuild, env: NodeJS.ProcessEnv) {
  const dir = path.dirname(main.target);
  await mkdir(dir, { recursive: true });
  const binDir = await mkdtemp(path.join(dir, 'build-'));
  // The main one last: where it is, everything is.
  const programs = [...others, main];
  try {
    const packages = programs.map((program) => `${program.package}@${version}`);
    const args = ['install', '-ldflags', '-s -w', ...packages];
    await runTool({ command: go, args, env: { ...env, GOBIN: binDir }, timeoutMs: BUILD_TIMEOUT_MS });
    for (const program of programs)
      await rename(path.join(binDir, path.basename(program.package)), program.target);
  } finally {
    await rm(binDir, { recursive: true, force: true });
  }
}

/** A cached build with Go, made once when Go is on PATH. */
export const builtWithGo = (build: GoBuild, config: ToolchainConfig, log: Log): Step => ({
  name: `a build of ${build.version} with Go`,
  find: async (): Promise<Found> => {
    const { target } = build.main;
    if (await isExecutable(target)) return { path: target };
    const go = await findOnPath(['go'], config.searchDirs);
    if (go === undefined) return { skipped: 'Go is not on PATH' };
    const { tool, takes = 'about 5 minutes' } = build;
    const notice = `${tool} is being built with Go: ${takes}, once; kept in ${target}`;
    const make = () => goInstall(go, build, config.env);
    return { path: await makeOnce({ target, notice, make, log }) };
  },
});
