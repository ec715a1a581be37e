import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client as Temporal, Connection } from '@temporalio/client';
import { Client as Postgres } from 'pg';
import { migrateUp } from '../../../db/schema/migrate';
import { ensureProgramRole, programUrlOf } from '../../../local/cluster/program-role';
import { answersOk, waitUntilReady } from '../../../local/gate';
import { freePort } from '../../../local/machine/ports';
import { startPostgres } from '../../../local/servers/postgres';
import { spawnChild, type Running } from '../../../local/processes/child';
import { loadSecrets } from '../../../local/machine/secrets';
import { startTemporal } from '../../../local/temporal-server/temporal';
import { resolveTemporalCli } from '../../../local/toolchain/temporal-cli';
import { Cleanup } from '../../support/run/cleanup';
import { clientOf, type Client } from '../client';

const root = resolve(__dirname, '../../..');
const here = (program: string): string[] => [
  '--require',
  join(__dirname, '../typescript.cjs'),
  join(__dirname, '../programs', program),
];
const API = '/api/v1';
const READY_WITHIN_MS = 60_000;

/** A server of ours or of the comparison, and its client. */
export interface Serving {
  pid: number;
  ask: Client;
}

/** Everything that is measured, each part in a process of its own. */
export interface Stage {
  /** `url`: as programs connect. */
  postgres: { pid: number; sql: Postgres; url: string };
  temporal: { pid: number; client: Temporal };
  worker: { pid: number };
  /** The API without its cache of catalogue pages, and with it. */
  api: Serving;
  cachingApi: Serving;
  /** Express and `pg` with the same SQL, and nothing else. */
  bare: Serving;
  secrets: { JWT_KEYS: string; SANDBOX_SECRET: string; SEALING_KEYS: string };
  /** Starts one more program of this folder. */
  start: (name: string, program: string, env: NodeJS.ProcessEnv, readyPort: number) => Promise<Running>;
  end: () => Promise<void>;
}

/** As wide as the configuration allows: no request may be refused by a limit. */
const UNLIMITED = { RATE_LIMIT_SCALE: '1000000' };

/**
 * Starts everything as `npm start` does, on free ports and in a folder that is erased at the end. With
 * `profilesIn`, each Node process leaves a CPU profile there when it ends.
 */
export async function setStage(say: (line: string) => void, profilesIn?: string): Promise<Stage> {
  const cleanup = new Cleanup();
  return cleanup.guard(async () => {
    const dir = await mkdtemp(join(tmpdir(), 'marketplace-bench-'));
    await chmod(dir, 0o755); // PostgreSQL runs under another account when we are root.
    cleanup.add(() => rm(dir, { recursive: true, force: true }));
    const quiet = (): void => undefined;
    const {
      DATABASE_PASSWORD: password,
      DATABASE_PROGRAM_PASSWORD: programPassword,
      ...secrets
    } = await loadSecrets(join(dir, 'secrets.json'));
    const database = await startPostgres({
      dataDir: join(dir, 'postgres'),
      password,
      settings: {
        // Counts statements without looking inside the platform.
        shared_preload_libraries: 'pg_stat_statements',
        // Those of docker-compose.yml.
        ...{
          shared_buffers: '512MB',
          effective_cache_size: '1536MB',
          max_wal_size: '4GB',
          wal_compression: 'on',
        },
      },
      log: quiet,
    });
    cleanup.add(database.stop);
    const server = await startTemporal({
      cli: await resolveTemporalCli(say),
      dbFile: join(dir, 'temporal.db'),
      log: quiet,
    });
    cleanup.add(server.stop);
    await ensureProgramRole(database.url, programPassword);
    const programUrl = programUrlOf(database.url, programPassword);
    await migrateUp(database.url, programUrl);
    const sql = new Postgres({ connectionString: database.url });
    await sql.connect();
    cleanup.add(() => sql.end());
    await sql.query('CREATE EXTENSION pg_stat_statements');
    const connection = await Connection.connect({ address: server.address });
    cleanup.add(() => connection.close());

    const common = {
      ...secrets,
      NODE_ENV: 'production',
      ALLOW_SANDBOX_PAYMENTS: 'true',
      ADMIN_SECOND_FACTOR: 'optional',
      PATH: process.env['PATH'],
      DATABASE_URL: programUrl,
      TEMPORAL_ADDRESS: server.address,
      MAIL_DIR: join(dir, 'outbox'),
    };
    const profiling = profilesIn === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', resolve(profilesIn)];
    const start = async (name: string, args: string[], env: NodeJS.ProcessEnv, readyPort: number) => {
      const log = join(dir, `${name}.log`);
      // Into a file: reading the lines in this process would slow its clients down.
      const running = await spawnChild({
        name,
        command: '/bin/sh',
        args: ['-c', `exec "$0" "$@" >> '${log}' 2>&1`, process.execPath, ...profiling, ...args],
        env: { ...common, ...env },
        graceMs: 30_000,
      });
      cleanup.add(running.stop);
      const isReady = () => answersOk(`http://127.0.0.1:${readyPort}/health/ready`);
      await waitUntilReady({ name: `${name} (see ${log})`, running, isReady, withinMs: READY_WITHIN_MS });
      return running;
    };
    const port = await freePort();
    const [healthPort, cachingPort, barePort] = [await freePort(), await freePort(), await freePort()];
    const api = (name: string, itsPort: number, more: NodeJS.ProcessEnv): Promise<Running> => {
      const env = {
        ...UNLIMITED,
        PORT: String(itsPort),
        METRICS_PORT: '0',
        PUBLIC_URL: `http://127.0.0.1:${port}`,
      };
      return start(name, [join(root, 'dist/api/main.js')], { ...env, ...more }, itsPort);
    };
    const worker = await start(
      'worker',
      [join(root, 'dist/workers/main.js')],
      {
        WORKER_METRICS_PORT: String(await freePort()),
        WORKER_HEALTH_PORT: String(healthPort),
        PUBLIC_URL: `http://127.0.0.1:${port}`,
      },
      healthPort,
    );
    const uncached = await api('api', port, { CATALOGUE_CACHE_MB: '0' });
    const caching = await api('api-caching', cachingPort, {});
    const bare = await start('bare', here('bare.ts'), { PORT: String(barePort) }, barePort);
    return {
      postgres: { pid: database.pid, sql, url: programUrl },
      temporal: { pid: server.pid, client: new Temporal({ connection }) },
      worker,
      api: { pid: uncached.pid, ask: clientOf(port, API) },
      cachingApi: { pid: caching.pid, ask: clientOf(cachingPort, API) },
      bare: { pid: bare.pid, ask: clientOf(barePort) },
      secrets,
      start: (name, program, env, readyPort) => start(name, here(program), env, readyPort),
      end: () => cleanup.run(),
    };
  });
}
