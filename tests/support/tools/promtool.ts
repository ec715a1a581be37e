import type { Log } from '../../../local/logs/log';
import { firstFound } from '../../../local/toolchain/chain';
import { readToolchainConfig, type ToolchainConfig } from '../../../local/toolchain/config';
import { namedBy, onPath } from '../../../local/toolchain/executable';
import { debianPackage, type InstallOptions } from './debian-package';

const NAMES = ['promtool'];

const ADVICE = `Do one of these:
  - install Prometheus 2.42 or later so that promtool is on PATH, or set PROMTOOL_PATH to it;
  - on Debian as root, set CI=true, which lets this run install the package.`;

/**
 * The path of Prometheus's tool that checks alert rules, for tests: from PROMTOOL_PATH, PATH, or Debian's package where it
 * may be installed, in this order. Throws MissingToolError when none has it.
 */
export function resolvePromtool(
  log: Log,
  config: ToolchainConfig = readToolchainConfig(),
  options: InstallOptions = {},
): Promise<string> {
  const steps = [
    namedBy('PROMTOOL_PATH', config.promtoolPath),
    onPath(NAMES, config.searchDirs),
    debianPackage({ name: 'prometheus', programs: NAMES }, config, options, log),
  ];
  return firstFound('promtool', steps, ADVICE, log);
}
