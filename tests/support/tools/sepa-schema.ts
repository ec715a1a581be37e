import { access, copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '../../../local/logs/log';
import { firstFound, type Found, type Step } from '../../../local/toolchain/chain';
import { readToolchainConfig, type ToolchainConfig } from '../../../local/toolchain/config';
import { findOnPath } from '../../../local/toolchain/executable';
import { makeOnce } from '../../../local/toolchain/make-once';
import { runTool } from '../../../local/toolchain/run-tool';

/** Pinned: the release of python-sepaxml whose copy of the schema is used. */
export const SEPAXML_VERSION = '2.7.0';

/** ISO 20022's schema of credit transfer files. */
const SCHEMA = 'pain.001.001.09.xsd';

const INSTALL_TIMEOUT_MS = 5 * 60_000;

const ADVICE = `Do one of these:
  - save the schema from iso20022.org and set SEPA_SCHEMA_PATH to it;
  - install Python 3.10 or later with venv and pip, which lets this run install sepaxml ${SEPAXML_VERSION}, which has it, once.`;

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

/** Installs the package into a virtual environment of its own, and keeps the schema. */
async function install(python: string, target: string, env: NodeJS.ProcessEnv): Promise<void> {
  const dir = path.dirname(target);
  const venv = path.join(dir, 'venv');
  await mkdir(dir, { recursive: true });
  await rm(venv, { recursive: true, force: true });
  await runTool({ command: python, args: ['-m', 'venv', venv], env, timeoutMs: INSTALL_TIMEOUT_MS });
  const args = ['-m', 'pip', 'install', '--quiet', '--no-deps', `sepaxml==${SEPAXML_VERSION}`];
  await runTool({ command: path.join(venv, 'bin', 'python'), args, env, timeoutMs: INSTALL_TIMEOUT_MS });
  const files = await readdir(venv, { recursive: true });
  const schema = files.find((file) => file.endsWith(path.join('sepaxml', 'schemas', SCHEMA)));
  if (schema === undefined) throw new Error(`sepaxml ${SEPAXML_VERSION} has no ${SCHEMA}`);
  await copyFile(path.join(venv, schema), `${target}.new`);
  await rename(`${target}.new`, target);
}

const named = (file: string | undefined): Step => ({
  name: 'SEPA_SCHEMA_PATH',
  find: async (): Promise<Found> => {
    if (file === undefined) return { skipped: 'not set' };
    if (!(await isThere(file))) throw new Error(`${file} is not there`);
    return { path: file };
  },
});

const installedWithPip = (config: ToolchainConfig, log: Log): Step => ({
  name: `sepaxml ${SEPAXML_VERSION} from pip`,
  find: async (): Promise<Found> => {
    const target = path.join(config.cacheDir, `sepaxml-${SEPAXML_VERSION}`, SCHEMA);
    if (await isThere(target)) return { path: target };
    const python = await findOnPath(['python3'], config.searchDirs);
    if (python === undefined) return { skipped: 'python3 is not on PATH' };
    const notice = `the schema of SEPA files is being installed with pip: some seconds, once; kept in ${path.dirname(target)}`;
    const make = () => install(python, target, config.env);
    return { path: await makeOnce({ target, notice, make, log, isMade: isThere }) };
  },
});

/**
 * The path of the published schema of credit transfer files (ISO 20022 pain.001.001.09), for tests: from SEPA_SCHEMA_PATH, or
 * from a pinned Python package, kept outside the checkout. Throws MissingToolError when none has it.
 */
export const resolveSepaSchema = (
  log: Log,
  config: ToolchainConfig = readToolchainConfig(),
): Promise<string> =>
  firstFound(
    'the schema of SEPA files',
    [named(config.sepaSchemaPath), installedWithPip(config, log)],
    ADVICE,
    log,
  );
