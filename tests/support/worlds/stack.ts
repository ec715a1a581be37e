import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import { migrateUp } from '../../../db/schema/migrate';
import type { Log } from '../../../local/logs/log';
import { ensureProgramRole, programUrlOf } from '../../../local/cluster/program-role';
import { startPostgres } from '../../../local/servers/postgres';
import { startTemporal } from '../../../local/servers/temporal';
import { resolveChromium } from '../../../local/toolchain/test-tools/chromium';
import { resolveStripeMock } from '../../../local/toolchain/test-tools/stripe-mock';
import { resolveTemporalCli } from '../../../local/toolchain/temporal-cli';
import { resolveTestServer } from '../../../local/toolchain/test-server';
import { bundle } from '../../../workers/bundle';
import { Cleanup } from '../run/cleanup';
import { provide } from '../run/provided';
import type { Requirement } from '../run/requirements';
import { PROGRAM_PASSWORD } from './variables';

/** Nothing of a test run has to survive a crash, so nothing waits for the disk. */
const carelessSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: 300,
  shared_buffers: '128MB',
};

/** Minutes may pass when a tool is fetched for the first time, so the chain says what it does. */
const log: Log = (line) => void process.stderr.write(`${line}\n`);
const sayNothing: Log = () => undefined;

/** What one run brings up, once, for all its test files. Ends all of it again, also when only half of it came up. */
export class Stack {
  private readonly cleanup = new Cleanup();

  async start(requirements: ReadonlySet<Requirement>): Promise<void> {
    const dir = await mkdtemp(join(tmpdir(), 'marketplace-tests-'));
    await chmod(dir, 0o755); // PostgreSQL runs under another account when we are root.
    this.cleanup.add(() => rm(dir, { recursive: true, force: true }));
    const parts: Record<Requirement, () => Promise<void>> = {
      postgres: () => this.startPostgres(dir),
      temporal: () => this.startTemporal(),
      bundle: () => buildBundle(dir),
      build,
      'test server': async () => provide('TEST_SERVER_PATH', await guardedTestServer(dir)),
      chromium: async () => provide('TEST_CHROMIUM_PATH', await resolveChromium(log)),
      'stripe mock': async () => provide('TEST_STRIPE_MOCK_PATH', await resolveStripeMock(log)),
    };
    // All are let to come up or fail before anything is judged, so that no part is left running unknown.
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
      settings: carelessSettings,
      log: sayNothing,
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
    const server = await startTemporal({ cli: await resolveTemporalCli(log), log: sayNothing });
    this.cleanup.add(server.stop);
    provide('TEST_TEMPORAL_ADDRESS', server.address);
  }
}

/** A database can be copied only while nobody is connected to it, so from here on nobody may be. */
async function sealTemplate(adminUrl: string, database: string): Promise<void> {
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query(
    `ALTER DATABASE ${admin.escapeIdentifier(database)} ALLOW_CONNECTIONS false IS_TEMPLATE true`,
  );
  await admin.end();
}

/** What is killed in tests are the real programs, as they are deployed. */
async function build(): Promise<void> {
  await promisify(execFile)('npm', ['run', '--silent', 'build'], { cwd: resolve(__dirname, '../../..') });
}

async function buildBundle(dir: string): Promise<void> {
  const path = join(dir, 'workflow-bundle.js');
  await writeFile(path, await bundle('plain', 'ERROR'));
  provide('TEST_BUNDLE_PATH', path);
}

/**
 * Each file that skips time has a test server of its own, which the SDK starts and ends. When a test process is killed
 * the SDK ends nothing, so a watcher ends the server when its parent has gone.
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
