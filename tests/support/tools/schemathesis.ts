import type { Log } from '../../../local/logs/log';
import { firstFound } from '../../../local/toolchain/chain';
import { readToolchainConfig, type ToolchainConfig } from '../../../local/toolchain/config';
import { namedBy, onPath } from '../../../local/toolchain/executable';
import { installedWithPip, type PipInstall } from './pip-install';

/** Pinned: generated requests and checks differ between versions, and so does the meaning of a seed. */
export const SCHEMATHESIS_VERSION = '4.32.5';

const ADVICE = `Do one of these:
  - install Schemathesis ${SCHEMATHESIS_VERSION} so that it is on PATH, or set SCHEMATHESIS_PATH to it;
  - install Python 3.10 or later with venv and pip, which lets this run install it once.`;

const PIP_INSTALL: PipInstall = {
  tool: 'Schemathesis',
  version: SCHEMATHESIS_VERSION,
  packages: [`schemathesis==${SCHEMATHESIS_VERSION}`],
  program: 'schemathesis',
  dir: `schemathesis-${SCHEMATHESIS_VERSION}`,
};

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
    installedWithPip(PIP_INSTALL, config, log),
  ];
  return firstFound('Schemathesis', steps, ADVICE, log);
}
