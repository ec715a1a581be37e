import { mkdir, rename, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '../../../local/logs/log';
import type { Found, Step } from '../../../local/toolchain/chain';
import type { ToolchainConfig } from '../../../local/toolchain/config';
import { findOnPath, isExecutable } from '../../../local/toolchain/executable';
import { makeOnce } from '../../../local/toolchain/make-once';
import { runTool } from '../../../local/toolchain/run-tool';

export interface PipInstall {
  /** The tool, as messages name it. */
  tool: string;
  version: string;
  /** Pinned packages, `name==version`. */
  packages: readonly string[];
  /** The program of the environment to return; `python` is one. */
  program: string;
  /** The directory of the environment, inside the cache. */
  dir: string;
}

const INSTALL_TIMEOUT_MS = 10 * 60_000;

/** Installs a virtual environment. It can't be moved, so the target that appears at the end is a link into it. */
async function install(python: string, target: string, build: PipInstall, env: NodeJS.ProcessEnv) {
  const dir = path.dirname(target);
  const venv = path.join(dir, 'venv');
  await mkdir(dir, { recursive: true });
  await rm(venv, { recursive: true, force: true });
  await runTool({ command: python, args: ['-m', 'venv', venv], env, timeoutMs: INSTALL_TIMEOUT_MS });
  const args = ['-m', 'pip', 'install', '--quiet', ...build.packages];
  await runTool({ command: path.join(venv, 'bin', 'python'), args, env, timeoutMs: INSTALL_TIMEOUT_MS });
  await rm(`${target}.new`, { force: true });
  await symlink(path.join('venv', 'bin', build.program), `${target}.new`);
  await rename(`${target}.new`, target);
}

/** A cached virtual environment of Python, made once when python3 is on PATH. */
export const installedWithPip = (build: PipInstall, config: ToolchainConfig, log: Log): Step => ({
  name: `an installation of ${build.version} with pip`,
  find: async (): Promise<Found> => {
    const target = path.join(config.cacheDir, build.dir, build.program);
    if (await isExecutable(target)) return { path: target };
    const python = await findOnPath(['python3'], config.searchDirs);
    if (python === undefined) return { skipped: 'python3 is not on PATH' };
    const notice = `${build.tool} is being installed with pip: under a minute, once; kept in ${path.dirname(target)}`;
    const make = () => install(python, target, build, config.env);
    return { path: await makeOnce({ target, notice, make, log }) };
  },
});
