import { mkdir, rename, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '../../../local/logs/log';
import { firstFound, type Found, type Step } from '../../../local/toolchain/chain';
import { readToolchainConfig, type ToolchainConfig } from '../../../local/toolchain/config';
import { findOnPath, isExecutable, namedBy, onPath } from '../../../local/toolchain/executable';
import { makeOnce } from '../../../local/toolchain/make-once';
import { runTool } from '../../../local/toolchain/run-tool';

/** Pinned: generated requests and checks differ between versions, and so does the meaning of a seed. */
export const SCHEMATHESIS_VERSION = '4.32.5';

const INSTALL_TIMEOUT_MS = 10 * 60_000;

const ADVICE = `Do one of these:
  - install Schemathesis ${SCHEMATHESIS_VERSION} so that it is on PATH, or set SCHEMATHESIS_PATH to it;
  - install Python 3.10 or later with venv and pip, which lets this run install it once.`;

/** Installs a virtual environment. It can't be moved, so the target that appears at the end is a link into it. */
async function install(python: string, target: string, env: NodeJS.ProcessEnv) {
  const dir = path.dirname(target);
  const venv = path.join(dir, 'venv');
  await mkdir(dir, { recursive: true });
  await rm(venv, { recursive: true, force: true });
  await runTool({ command: python, args: ['-m', 'venv', venv], env, timeoutMs: INSTALL_TIMEOUT_MS });
  const args = ['-m', 'pip', 'install', '--quiet', `schemathesis==${SCHEMATHESIS_VERSION}`];
  await runTool({ command: path.join(venv, 'bin', 'python'), args, env, timeoutMs: INSTALL_TIMEOUT_MS });
  await rm(`${target}.new`, { force: true });
  await symlink(path.join('venv', 'bin', 'schemathesis'), `${target}.new`);
  await rename(`${target}.new`, target);
}

const installedWithPip = (config: ToolchainConfig, log: Log): Step => ({
  name: `an installation of ${SCHEMATHESIS_VERSION} with pip`,
  find: async (): Promise<Found> => {
    const target = path.join(config.cacheDir, `schemathesis-${SCHEMATHESIS_VERSION}`, 'schemathesis');
    if (await isExecutable(target)) return { path: target };
    const python = await findOnPath(['python3'], config.searchDirs);
    if (python === undefined) return { skipped: 'python3 is not on PATH' };
    const notice = `Schemathesis is being installed with pip: under a minute, once; kept in ${path.dirname(target)}`;
    const make = () => install(python, target, config.env);
    return { path: await makeOnce({ target, notice, make, log }) };
  },
});

/**
 * The path of Schemathesis, which fuzzes the API by its own document: from SCHEMATHESIS_PATH, PATH, or a virtual
 * environment of Python kept outside the checkout, in this order. Throws MissingToolError when none has it.
 */
export function resolveSchemathesis(
  log: Log,
  config: ToolchainConfig = readToolchainConfig(),
): Promise<string> {
  const steps = [
    namedBy('SCHEMATHESIS_PATH', config.schemathesisPath),
    onPath(['schemathesis'], config.searchDirs),
    installedWithPip(config, log),
  ];
  return firstFound('Schemathesis', steps, ADVICE, log);
}
