import path from 'node:path';
import type { Log } from '../../../local/logs/log';
import type { Found, Step } from '../../../local/toolchain/chain';
import type { ToolchainConfig } from '../../../local/toolchain/config';
import { findOnPath } from '../../../local/toolchain/executable';
import { withMachineLock } from '../../../local/toolchain/make-once';
import { runTool } from '../../../local/toolchain/run-tool';

const INSTALL_TIMEOUT_MS = 10 * 60_000;

export interface InstallOptions {
  /** Permission to install a system package; default: `CI=true`. */
  mayInstall?: boolean;
  isRoot?: boolean;
}

/** A package of Debian, and the names under which it puts a program on PATH. */
interface DebianPackage {
  name: string;
  programs: readonly string[];
}

/** Installs a package where that is permitted. */
export const debianPackage = (
  { name, programs }: DebianPackage,
  config: ToolchainConfig,
  { mayInstall, isRoot }: InstallOptions,
  log: Log,
): Step => ({
  name: "Debian's package",
  find: async (): Promise<Found> => {
    if (!(mayInstall ?? config.isCi)) return { skipped: 'system packages are installed only when CI=true' };
    if (!(isRoot ?? process.getuid?.() === 0)) return { skipped: 'only root may install it' };
    const aptGet = await findOnPath(['apt-get'], config.searchDirs);
    if (aptGet === undefined) return { skipped: 'apt-get is not there' };
    log(`Debian's package ${name} is being installed`);
    const env = { ...config.env, DEBIAN_FRONTEND: 'noninteractive' };
    const apt = (args: string[]) => runTool({ command: aptGet, args, env, timeoutMs: INSTALL_TIMEOUT_MS });
    // A second apt-get at the same time fails.
    await withMachineLock(path.join(config.cacheDir, 'apt-get'), log, async () => {
      await apt(['update', '-q']);
      await apt(['install', '-q', '-y', '--no-install-recommends', name]);
    });
    const found = await findOnPath([...programs], config.searchDirs);
    return found === undefined ? { skipped: 'installed, but not on PATH' } : { path: found };
  },
});
