import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '../../../local/logs/log';
import { firstFound, type Found, type Step } from '../../../local/toolchain/chain';
import { readToolchainConfig, type ToolchainConfig } from '../../../local/toolchain/config';
import { isExecutable, namedBy, onPath } from '../../../local/toolchain/executable';
import { debianPackage, type InstallOptions } from './debian-package';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

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

/**
 * The path of a Chromium to test in: from CHROMIUM_PATH, PATH, Playwright's download, or Debian's package where it
 * may be installed, in this order. Throws MissingToolError when none has it.
 */
export function resolveChromium(
  log: Log,
  config: ToolchainConfig = readToolchainConfig(),
  options: InstallOptions = {},
): Promise<string> {
  const steps = [
    namedBy('CHROMIUM_PATH', config.chromiumPath),
    onPath(NAMES, config.searchDirs),
    playwrightDownload(config.playwrightDir),
    debianPackage({ name: 'chromium', programs: NAMES }, config, options, log),
  ];
  return firstFound('Chromium', steps, ADVICE, log);
}
