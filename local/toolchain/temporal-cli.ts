import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Log } from '../logs/log';
import { firstFound } from './chain';
import { readToolchainConfig, type ToolchainConfig } from './config';
import { namedBy, onPath } from './executable';
import { builtWithGo, type GoBuild } from './go-install';
import { downloadBySdk, fromSdk, type SdkDownload } from './sdk-download';

/** Pinned: its server is 1.29.1, the version that the settings in local/temporal-server/temporal.ts were measured on. */
export const TEMPORAL_CLI_VERSION = 'v1.5.1';

const ADVICE = `Do one of these:
  - install Temporal's CLI so that \`temporal\` is on PATH, or set TEMPORAL_CLI_PATH to it;
  - install Go 1.23 or later, which lets this start build it once;
  - set TEMPORAL_ADDRESS to a server that runs already.`;

const builtPath = (config: ToolchainConfig) =>
  path.join(config.cacheDir, `temporal-cli-${TEMPORAL_CLI_VERSION}`, 'temporal');

const goBuild = (config: ToolchainConfig): GoBuild => ({
  tool: "Temporal's server",
  version: TEMPORAL_CLI_VERSION,
  main: { package: 'github.com/temporalio/cli/cmd/temporal', target: builtPath(config) },
});

/**
 * The path of Temporal's command-line program, which holds the development server: from TEMPORAL_CLI_PATH, PATH,
 * the SDK's download, or a cached build with Go, in this order. Throws MissingToolError when none has it.
 */
export function resolveTemporalCli(
  log: Log,
  config: ToolchainConfig = readToolchainConfig(),
  download: SdkDownload = downloadBySdk,
): Promise<string> {
  const steps = [
    namedBy('TEMPORAL_CLI_PATH', config.temporalCliPath),
    onPath(['temporal'], config.searchDirs),
    fromSdk({ tool: 'temporal', config, download, madeBefore: builtPath(config), log }),
    builtWithGo(goBuild(config), config, log),
  ];
  return firstFound("Temporal's server", steps, ADVICE, log);
}

/** The version of the development server, such as 1.29.1. */
export async function temporalServerVersion(log: Log): Promise<string> {
  const cli = await resolveTemporalCli(log);
  const { stdout } = await promisify(execFile)(cli, ['--version'], { env: {} });
  const [, version] = /\bServer (\d+\.\d+\.\d+)/.exec(stdout) ?? [];
  if (version === undefined) throw new Error(`${cli} --version tells no version of its server: ${stdout}`);
  return version;
}
