import { randomInt } from 'node:crypto';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { waitUntilReady } from '../gate';
import type { Log } from '../logs/log';
import { isPortFree } from '../machine/ports';
import { spawnChild, type Output } from '../processes/child';
import { DYNAMIC_CONFIG, type RunningTemporal } from '../temporal-server/temporal';
import {
  dynamicConfiguration,
  postgresAddress,
  serverConfiguration,
  type TemporalPorts,
} from '../temporal-server/configuration';
import { ensureNamespace } from '../temporal-server/namespace';
import { setUpSchema } from '../temporal-server/schema';
import type { TemporalServerTools } from '../toolchain/temporal-server';

export interface TemporalOnPostgresOptions {
  /** From resolveTemporalServer. */
  tools: TemporalServerTools;
  /** The server that keeps the state, with a user who may make databases; the database it names is not used. */
  postgresUrl: string;
  /** For the server's configuration, which holds the password. Made if it isn't there. */
  dir: string;
  /** Names the database, and with `_visibility` behind it the other one. Default: temporal. */
  database?: string;
  /** Default: `default`. */
  namespace?: string;
  /** Default: 4. Fixed for ever with the first start on a database. */
  shards?: number;
  /** From freeTemporalPorts, where a later start has to come back under the same address. Default: free ones. */
  ports?: TemporalPorts;
  log: Log;
  /** Takes the server's own log. */
  output?: Output;
  /** Gives up early when it fires. */
  signal?: AbortSignal;
}

const HOST = '127.0.0.1';
/** Long, since a server restarted after a kill waits until its predecessor's membership has expired. */
const READY_WITHIN_MS = 120_000;
const graceMs = 30_000;

/** The upper bound is Temporal's: it stores ports as signed 16-bit numbers. */
const LOWEST_PORT = 15_000;
const HIGHEST_PORT = 32_767;

/** Ports that were free just now, no two the same. */
export async function freeTemporalPorts(): Promise<TemporalPorts> {
  const tried = new Set<number>();
  const next = async (): Promise<number> => {
    for (;;) {
      const port = randomInt(LOWEST_PORT, HIGHEST_PORT + 1);
      if (tried.has(port)) continue;
      tried.add(port);
      if (await isPortFree(port)) return port;
    }
  };
  return {
    frontend: await next(),
    http: await next(),
    frontendMembership: await next(),
    matching: await next(),
    matchingMembership: await next(),
    history: await next(),
    historyMembership: await next(),
    worker: await next(),
    workerMembership: await next(),
    metrics: await next(),
  };
}

/** Writes the server's configuration files, readable by their owner only. */
async function writeConfiguration(
  { dir, postgresUrl, database, shards = 4 }: TemporalOnPostgresOptions & { database: string },
  ports: TemporalPorts,
): Promise<void> {
  await mkdir(dir, { recursive: true });
  await chmod(dir, 0o700);
  const dynamicConfigFile = path.join(dir, 'dynamic.yaml');
  const postgres = postgresAddress(postgresUrl);
  const configuration = serverConfiguration({ postgres, database, shards, ports, dynamicConfigFile });
  await writeFile(path.join(dir, 'server.yaml'), configuration, { mode: 0o600 });
  await writeFile(dynamicConfigFile, dynamicConfiguration(DYNAMIC_CONFIG));
}

/**
 * Brings up Temporal's real server on PostgreSQL, in one process on 127.0.0.1, with its schema, namespace and search
 * attributes, and answers once it serves. Throws, with nothing left running, when it can't.
 */
export async function startTemporalOnPostgres(options: TemporalOnPostgresOptions): Promise<RunningTemporal> {
  const { tools, postgresUrl, dir, database = 'temporal', namespace = 'default', log } = options;
  const ports = options.ports ?? (await freeTemporalPorts());
  await writeConfiguration({ ...options, database }, ports);
  log(`Temporal's schema: ${database}`);
  await setUpSchema({ sqlTool: tools.sqlTool, postgres: postgresAddress(postgresUrl), database });
  const running = await spawnChild({
    name: 'Temporal',
    command: tools.server,
    args: ['--root', dir, '--config', '.', '--env', 'server', '--allow-no-auth', 'start'],
    env: {},
    cwd: dir,
    graceMs,
    output: options.output,
  });
  const address = `${HOST}:${ports.frontend}`;
  try {
    const isReady = async () => {
      await ensureNamespace(address, namespace);
      return true;
    };
    await waitUntilReady({
      name: 'Temporal',
      running,
      isReady,
      withinMs: READY_WITHIN_MS,
      signal: options.signal,
    });
    return { ...running, address };
  } catch (error) {
    await running.stop();
    throw error;
  }
}
