import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '../log';
import { firstFound, type Found, type Step } from './chain';
import { readToolchainConfig, type ToolchainConfig } from './config';
import { findOnPath, isExecutable, namedBy, onPath } from './executable';
import { makeOnce } from './make-once';
import { runTool } from './run-tool';
import { downloadBySdk, fromSdk, type SdkDownload } from './sdk-download';

/** Pinned: its server is 1.29.1, the version that the settings in local/temporal.ts were measured on. */
export const temporalCliVersion = 'v1.5.1';

const buildLimitMs = 30 * 60_000;

const advice = `Do one of these:
  - install Temporal's CLI so that \`temporal\` is on PATH, or set TEMPORAL_CLI_PATH to it;
  - install Go 1.23 or later, which lets this start build it once;
  - set TEMPORAL_ADDRESS to a server that runs already.`;

/** Builds into a directory of its own first, so that an interrupted build never leaves half a file. */
const goInstall = async (go: string, target: string, env: NodeJS.ProcessEnv): Promise<void> => {
  await mkdir(path.dirname(target), { recursive: true });
  const binDir = await mkdtemp(path.join(path.dirname(target), 'build-'));
  try {
    const module = `github.com/temporalio/cli/cmd/temporal@${temporalCliVersion}`;
    const args = ['install', '-ldflags', '-s -w', module];
    await runTool({ command: go, args, env: { ...env, GOBIN: binDir }, timeoutMs: buildLimitMs });
    await rename(path.join(binDir, 'temporal'), target);
  } finally {
    await rm(binDir, { recursive: true, force: true });
  }
};

const builtPath = (config: ToolchainConfig) =>
  path.join(config.cacheDir, `temporal-cli-${temporalCliVersion}`, 'temporal');

const builtWithGo = (config: ToolchainConfig, log: Log): Step => ({
  name: `a build of ${temporalCliVersion} with Go`,
  find: async (): Promise<Found> => {
    const target = builtPath(config);
    if (await isExecutable(target)) return { path: target };
    const go = await findOnPath(['go'], config.searchDirs);
    if (go === undefined) return { skipped: 'Go is not on PATH' };
    const notice = `Temporal's server is being built with Go: about 5 minutes, once; kept in ${target}`;
    const make = () => goInstall(go, target, config.env);
    return { path: await makeOnce({ target, notice, make, log }) };
  },
});

/**
 * The path of Temporal's command-line program, which holds the development server: from TEMPORAL_CLI_PATH, PATH,
 * the SDK's download, or a cached build with Go, in this order. Throws MissingToolError when none has it.
 */
export const resolveTemporalCli = (
  log: Log,
  config: ToolchainConfig = readToolchainConfig(),
  download: SdkDownload = downloadBySdk,
): Promise<string> => {
  const steps = [
    namedBy('TEMPORAL_CLI_PATH', config.temporalCliPath),
    onPath(['temporal'], config.searchDirs),
    fromSdk({ tool: 'temporal', config, download, madeBefore: builtPath(config), log }),
    builtWithGo(config, log),
  ];
  return firstFound("Temporal's server", steps, advice, log);
};
