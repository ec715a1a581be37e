import type { Log } from '../../../local/logs/log';
import { firstFound } from '../../../local/toolchain/chain';
import { readToolchainConfig, type ToolchainConfig } from '../../../local/toolchain/config';
import { namedBy, onPath } from '../../../local/toolchain/executable';
import { debianPackage, type InstallOptions } from './debian-package';

const NAMES = ['clamd'];

const ADVICE = `Do one of these:
  - install ClamAV's daemon so that clamd is on PATH, or set CLAMD_PATH to it;
  - on Debian as root, set CI=true, which lets this run install the package.`;

/**
 * The path of clamd, to test the virus scanner with: from CLAMD_PATH, PATH, or Debian's package where it may be
 * installed, in this order. Throws MissingToolError when none has it.
 */
export function resolveClamd(
  log: Log,
  config: ToolchainConfig = readToolchainConfig(),
  options: InstallOptions = {},
): Promise<string> {
  const steps = [
    namedBy('CLAMD_PATH', config.clamdPath),
    onPath(NAMES, config.searchDirs),
    debianPackage({ name: 'clamav-daemon', programs: NAMES }, config, options, log),
  ];
  return firstFound('clamd', steps, ADVICE, log);
}
