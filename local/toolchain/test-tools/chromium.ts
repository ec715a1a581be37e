import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '../../logs/log';
import { firstFound, type Found, type Step } from '../chain';
import { readToolchainConfig, type ToolchainConfig } from '../config';
import { findOnPath, isExecutable, namedBy, onPath } from '../executable';
import { runTool } from '../run-tool';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const INSTALL_TIMEOUT_MS = 10 * 60_000;

const ADVICE = `Do one of these:
  - install Chromium or Google Chrome so that it is on PATH, or set CHROMIUM_PATH to it;
  - run \`npx playwright-core install chromium\`;
  - on Debian as root, set CI=true, which lets this run install the package.`;

/** Paths in a revision's directory; the folder's name differs between versions of Playwright. */
const INSIDE_REVISION = [
  'chrome-linux64/chrome',
  'chrome-linux/chrome',
  'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
];

const playwrightDownload = (dir: string): Step => ({
  name: "Playwright's download",
  find: async (): Promise<Found> => {
    const entries = await readdir(dir).catch(() => []);
    const revisions = entries.filter((entry) => /^chromium-\d+$/.test(entry));
    revisions.sort((a, b) => Number(b.slice('chromium-'.length)) - Number(a.slice('chromium-'.length)));
    for (const revision of revisions)
      for (const inner of INSIDE_REVISION) {
        const candidate = path.join(dir, revision, inner);
        if (await isExecutable(candidate)) return { path: candidate };
      }
    return { skipped: `none in ${dir}` };
  },
});

export interface ChromiumOptions {
  /** Permission to install a system package; default: `CI=true`. */
  mayInstall?: boolean;
  isRoot?: boolean;
}

const debianPackage = (config: ToolchainConfig, { mayInstall, isRoot }: ChromiumOptions, log: Log): Step => ({
  name: "Debian's package",
  find: async (): Promise<Found> => {
    if (!(mayInstall ?? config.isCi)) return { skipped: 'system packages are installed only when CI=true' };
    if (!(isRoot ?? process.getuid?.() === 0)) return { skipped: 'only root may install it' };
    const aptGet = await findOnPath(['apt-get'], config.searchDirs);
    if (aptGet === undefined) return { skipped: 'apt-get is not there' };
    log("Debian's Chromium is being installed");
    const env = { ...config.env, DEBIAN_FRONTEND: 'noninteractive' };
    const apt = (args: string[]) => runTool({ command: aptGet, args, env, timeoutMs: INSTALL_TIMEOUT_MS });
    await apt(['update', '-q']);
    await apt(['install', '-q', '-y', '--no-install-recommends', 'chromium']);
    const found = await findOnPath(NAMES, config.searchDirs);
    return found === undefined ? { skipped: 'installed, but not on PATH' } : { path: found };
  },
});

/**
 * The path of a Chromium to test in: from CHROMIUM_PATH, PATH, Playwright's download, or Debian's package where it
 * may be installed, in this order. Throws MissingToolError when none has it.
 */
export function resolveChromium(
  log: Log,
  config: ToolchainConfig = readToolchainConfig(),
  options: ChromiumOptions = {},
): Promise<string> {
  const steps = [
    namedBy('CHROMIUM_PATH', config.chromiumPath),
    onPath(NAMES, config.searchDirs),
    playwrightDownload(config.playwrightDir),
    debianPackage(config, options, log),
  ];
  return firstFound('Chromium', steps, ADVICE, log);
}
