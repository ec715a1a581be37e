import { chmod, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import { migrateUp } from '../../../db/schema/migrate';
import type { Log } from '../../../local/logs/log';
import { ensureProgramRole, programUrlOf } from '../../../local/cluster/program-role';
import { startPostgres } from '../../../local/servers/postgres';
import { startTemporal } from '../../../local/temporal-server/temporal';
import { resolveChromium } from '../tools/chromium';
import { resolveClamd } from '../tools/clamd';
import { resolvePromtool } from '../tools/promtool';
import { resolveStripeMock } from '../tools/stripe-mock';
import { resolveTemporalCli } from '../../../local/toolchain/temporal-cli';
import { resolveTestServer } from '../../../local/toolchain/test-server';
import { bundle } from '../../../workers/bundle';
import { Cleanup } from '../run/cleanup';
import { provide } from '../run/provided';
import type { Requirement } from '../run/requirements';
import { PROGRAM_PASSWORD } from './variables';

/** No data of a test run has to survive a crash, so no write waits for the disk. */
const unsafeSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // Each of the thousands of connections would hash its password 4,096 times on both sides.
  scram_iterations: 1,
  max_connections: 300,
  shared_buffers: '128MB',
};

const MEMORY = '/dev/shm';
/** Free space that the databases of a run may come to, with their logs. */
const MEMORY_BYTES = 4 * 2 ** 30;

/** Fetching a tool for the first time may take minutes, so its progress is shown. */
const log: Log = (line) => void process.stderr.write(`${line}\n`);
const silent: Log = () => undefined;

/** The servers and programs of one run, shared by all its test files. `stop` also ends a stack that came up in part. */
export class Stack {
  private readonly cleanup = new Cleanup();

  async start(requirements: ReadonlySet<Requirement>): Promise<void> {
    const dir = await mkdtemp(join(await fastFolder(), 'marketplace-tests-'));
    await chmod(dir, 0o755); // PostgreSQL runs under another account when we are root.
    this.cleanup.add(() => rm(dir, { recursive: true, force: true }));
    const parts: Record<Requirement, () => Promise<void>> = {
      postgres: () => this.startPostgres(dir),
      temporal: () => this.startTemporal(),
      bundle: () => buildBundle(dir),
      build,
      'test server': async () => provide('TEST_SERVER_PATH', await guardedTestServer(dir)),
      chromium: async () => provide('TEST_CHROMIUM_PATH', await resolveChromium(log)),
      clamd: async () => provide('TEST_CLAMD_PATH', await resolveClamd(log)),
      promtool: async () => provide('TEST_PROMTOOL_PATH', await resolvePromtool(log)),
      'stripe mock': async () => provide('TEST_STRIPE_MOCK_PATH', await resolveStripeMock(log)),
    };
    // Waits for all parts to come up or fail, so that no part is left running unknown.
    const outcomes = await Promise.allSettled([...requirements].map((requirement) => parts[requirement]()));
    const failures = outcomes.flatMap((outcome): unknown[] =>
      outcome.status === 'rejected' ? [outcome.reason] : [],
    );
    if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join('\n'));
  }

  stop(): Promise<void> {
    return this.cleanup.run();
  }

  private async startPostgres(dir: string): Promise<void> {
    const database = 'template';
    const server = await startPostgres({
      dataDir: join(dir, 'postgres'),
      database,
      settings: unsafeSettings,
      log: silent,
    });
    this.cleanup.add(server.stop);
    const adminUrl = server.url.replace(/\/[^/]*$/, '/postgres');
    await ensureProgramRole(adminUrl, PROGRAM_PASSWORD);
    await migrateUp(server.url, programUrlOf(server.url, PROGRAM_PASSWORD));
    await sealTemplate(adminUrl, database);
    provide('TEST_POSTGRES_URL', adminUrl);
    provide('TEST_TEMPLATE_DATABASE', database);
  }

  private async startTemporal(): Promise<void> {
    const server = await startTemporal({ cli: await resolveTemporalCli(log), log: silent });
    this.cleanup.add(server.stop);
    provide('TEST_TEMPORAL_ADDRESS', server.address);
  }
}

/** In memory where there is room, since a file copies the template's hundreds of files: 40 ms there, 700 ms on a disk. */
async function fastFolder(): Promise<string> {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= MEMORY_BYTES ? MEMORY : tmpdir();
}

/** Forbids connections from now on: a database can be copied only while it has none. */
async function sealTemplate(adminUrl: string, database: string): Promise<void> {
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query(
    `ALTER DATABASE ${admin.escapeIdentifier(database)} ALLOW_CONNECTIONS false IS_TEMPLATE true`,
  );
  await admin.end();
}

/** Builds the programs as they are deployed, for tests that kill them. */
async function build(): Promise<void> {
  await promisify(execFile)('npm', ['run', '--silent', 'build'], { cwd: resolve(__dirname, '../../..') });
}

async function buildBundle(dir: string): Promise<void> {
  const path = join(dir, 'workflow-bundle.js');
  await writeFile(
    path,
    withoutSources(await bundle('plain', 'ERROR', [require.resolve('./stretched-limits')])),
  );
  provide('TEST_BUNDLE_PATH', path);
}

const EMPTY_SOURCE_MAP = { version: 3, file: 'workflow-bundle.js', sources: [], names: [], mappings: '' };

/**
 * The code with an empty source map: reading the real one takes two thirds of the time in which a worker starts, and
 * every world starts several. TEST_SOURCE_MAPS=1 keeps it, so that stack traces of processes name our files.
 */
function withoutSources(code: string): string {
  if (process.env['TEST_SOURCE_MAPS'] === '1') return code;
  const start = code.lastIndexOf('//# sourceMappingURL=data:');
  if (start < 0) throw new Error('The bundle has no source map to leave out.');
  const map = Buffer.from(JSON.stringify(EMPTY_SOURCE_MAP)).toString('base64');
  return `${code.slice(0, start)}//# sourceMappingURL=data:application/json;base64,${map}`;
}

/**
 * A script that starts the test server. Each file that skips time has one, which the SDK starts and ends. If a test
 * process is killed the SDK ends nothing, so a watcher ends the server when its parent has gone.
 */
async function guardedTestServer(dir: string): Promise<string> {
  const path = join(dir, 'test-server');
  const script = `#!/bin/sh
parent=$PPID
server=$$
(while kill -0 $parent && kill -0 $server; do sleep 1; done; kill $server) > /dev/null 2>&1 &
exec '${await resolveTestServer(log)}' "$@"
`;
  await writeFile(path, script, { mode: 0o755 });
  return path;
}
