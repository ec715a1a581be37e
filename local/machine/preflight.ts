import { access } from 'node:fs/promises';
import path from 'node:path';
import type { LocalConfig } from '../config';
import { freePort, isPortFree } from './ports';

/** The built programs; this file is `dist/local/machine/preflight.js`. */
export const BUILT = {
  migrate: path.resolve(__dirname, '../..', 'db', 'schema', 'migrate.js'),
  seed: path.resolve(__dirname, '../..', 'db', 'schema', 'seed.js'),
  restored: path.resolve(__dirname, '../..', 'db', 'administration', 'restore', 'restored.js'),
  worker: path.resolve(__dirname, '../..', 'workers', 'main.js'),
  api: path.resolve(__dirname, '../..', 'api', 'main.js'),
} as const;

/** Throws when a program that is to be started hasn't been built. */
export async function checkBuilt(): Promise<void> {
  for (const file of Object.values(BUILT))
    await access(file).catch(() => {
      throw new Error(`${file} is missing: run \`npm run build\` first.`);
    });
}

interface RequiredPort {
  variable: string;
  use: string;
  port: number | undefined;
}

function requiredPorts(config: LocalConfig): RequiredPort[] {
  const ports = [
    { variable: 'PORT', use: 'the API', port: config.PORT },
    { variable: 'METRICS_PORT', use: "the API's metrics", port: config.METRICS_PORT },
    { variable: 'WORKER_METRICS_PORT', use: "the worker's metrics", port: config.WORKER_METRICS_PORT },
    { variable: 'WORKER_HEALTH_PORT', use: "the worker's health", port: config.WORKER_HEALTH_PORT },
  ];
  const temporal = [
    { variable: 'TEMPORAL_PORT', use: "Temporal's server", port: config.TEMPORAL_PORT },
    { variable: 'TEMPORAL_UI_PORT', use: "Temporal's web interface", port: config.TEMPORAL_UI_PORT },
    { variable: 'TEMPORAL_HTTP_PORT', use: "Temporal's HTTP interface", port: config.TEMPORAL_HTTP_PORT },
    { variable: 'TEMPORAL_METRICS_PORT', use: "Temporal's metrics", port: config.TEMPORAL_METRICS_PORT },
  ];
  const postgres = [{ variable: 'PG_PORT', use: 'PostgreSQL', port: config.PG_PORT }];
  return [
    ...ports,
    ...(config.TEMPORAL_ADDRESS === undefined ? temporal : []),
    ...(config.DATABASE_URL === undefined ? postgres : []),
  ];
}

/** Throws when a port is taken or configured twice; the message names each port and its variable. */
export async function checkPorts(config: LocalConfig): Promise<void> {
  const faults: string[] = [];
  const seen = new Map<number, string>();
  for (const { variable, use, port } of requiredPorts(config)) {
    if (port === undefined) continue;
    const other = seen.get(port);
    seen.set(port, variable);
    if (other !== undefined) faults.push(`${variable} and ${other} are both ${port}: change one.`);
    else if (!(await isPortFree(port)))
      faults.push(
        `Port ${port} for ${use} is taken: stop the program that has it, or set ${variable} to another port.`,
      );
  }
  if (faults.length > 0) throw new Error(faults.join('\n'));
}

const DEFAULT_POSTGRES_PORT = 54_329;

/** The port for PostgreSQL: the one requested, the usual one, or one that is free. */
export async function choosePostgresPort({ PG_PORT }: LocalConfig): Promise<number> {
  if (PG_PORT !== undefined) return PG_PORT;
  return (await isPortFree(DEFAULT_POSTGRES_PORT)) ? DEFAULT_POSTGRES_PORT : freePort();
}
