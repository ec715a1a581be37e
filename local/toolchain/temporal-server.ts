import path from 'node:path';
import type { Log } from '../logs/log';
import { firstFound } from './chain';
import { readToolchainConfig, type ToolchainConfig } from './config';
import { builtWithGo } from './go-install';

/** Pinned: the version of docker-compose.yml, and the one that the pinned command-line program has inside. */
export const TEMPORAL_SERVER_VERSION = 'v1.29.1';

/** Temporal's real server, which stores its state in PostgreSQL, and the tool that makes its schema there. */
export interface TemporalServerTools {
  server: string;
  sqlTool: string;
}

const ADVICE = `Do one of these:
  - install Go 1.23 or later, which lets this run build it once;
  - start the server of docker-compose.yml, and set TEMPORAL_ADDRESS to it.`;

/**
 * The paths of Temporal's server and its schema tool: a build with Go, stored outside the checkout. Throws
 * MissingToolError when it can't be built.
 */
export async function resolveTemporalServer(
  log: Log,
  config: ToolchainConfig = readToolchainConfig(),
): Promise<TemporalServerTools> {
  const dir = path.join(config.cacheDir, `temporal-server-${TEMPORAL_SERVER_VERSION}`);
  const sqlTool = path.join(dir, 'temporal-sql-tool');
  const tool = "Temporal's server for PostgreSQL";
  const build = {
    tool,
    version: TEMPORAL_SERVER_VERSION,
    main: { package: 'go.temporal.io/server/cmd/server', target: path.join(dir, 'temporal-server') },
    others: [{ package: 'go.temporal.io/server/cmd/tools/sql', target: sqlTool }],
  };
  const server = await firstFound(tool, [builtWithGo(build, config, log)], ADVICE, log);
  return { server, sqlTool };
}
