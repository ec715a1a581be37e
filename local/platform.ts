import { availableParallelism } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { postgresAccount } from './cluster/account';
import { ensureProgramRole, programUrlOf } from './cluster/program-role';
import { openDataDir } from './machine/data-dir';
import type { LocalConfig } from './config';
import { waitForExternalServer } from './gate';
import type { Log } from './logs/log';
import { ChildLogs, isNodeError } from './processes/logs';
import { apiPart, postgresPart, temporalPart, workerPart, type PartDeps } from './parts';
import { isAcceptingQueries } from './servers/postgres';
import { BUILT, checkBuilt, checkPorts, choosePostgresPort } from './machine/preflight';
import { ChildRegister, endLeftovers } from './processes/leftovers';
import { acquireLock } from './processes/lock';
import { supervise, type Part, type Supervised } from './processes/supervisor';
import { writeEnvironmentFile } from './machine/environment-file';
import { loadSecrets, type Secrets } from './machine/secrets';
import { runTask } from './task';
import { requireNamespace } from './temporal-server/temporal';
import { resolveTemporalCli } from './toolchain/temporal-cli';
import { messageOf } from './failure';

/**
 * Threads of each Node process, shared by password checks, which hold at most one less than there are cores, and file
 * access, gzip and name look-ups. Node reads the variable before any program runs, so it is set here.
 */
const threads = (): number => availableParallelism() + 4;
const GIVE_UP_AFTER_MS = 10_000;

interface DatabaseAddresses {
  /** For API and workers. */
  url: string;
  /** For migrations. */
  ownerUrl: string;
}

/** Everything on one machine: brought up in order, kept up, and stopped in the opposite order. */
export class Platform {
  private readonly started: Supervised[] = [];
  private readonly stopping = new AbortController();
  private readonly cleanup: (() => Promise<void>)[] = [];
  private logs: ChildLogs | undefined;
  private goingUp: Promise<void> = Promise.resolve();

  constructor(
    private readonly config: LocalConfig,
    private readonly log: Log,
  ) {}

  /** Brings everything up and answers when the API is ready. Throws with what a person has to fix; then call `down`. */
  up(): Promise<void> {
    this.goingUp = this.bringUp();
    return this.goingUp;
  }

  private async bringUp(): Promise<void> {
    const { config, log } = this;
    await checkBuilt();
    const data = await openDataDir(config.DATA_DIR);
    const lock = await acquireLock(data.lockFile);
    if ('heldBy' in lock)
      throw new Error(
        `${data.dir} is in use by process ${lock.heldBy.pid}: the platform runs already. ` +
          'Stop that one with Ctrl-C, or set DATA_DIR (and the ports) for a second one.',
      );
    this.cleanup.push(() => lock.release());
    await endLeftovers(data.childrenFile, log);
    await checkPorts(config);
    this.logs = await ChildLogs.open(data.logsDir, config.VERBOSE, log);
    const workshop = { config, data, logs: this.logs, log };
    const register = new ChildRegister(data.childrenFile);
    const { DATABASE_PASSWORD, DATABASE_PROGRAM_PASSWORD, ...secrets } = await loadSecrets(data.secretsFile);
    const passwords = { owner: DATABASE_PASSWORD, programs: DATABASE_PROGRAM_PASSWORD };
    const database = await this.database(workshop, register, passwords);
    const temporalAddress = await this.temporal(workshop, register);
    const env = this.childEnvironment(database.url, temporalAddress, secrets);
    await writeEnvironmentFile(data.environmentFile, env);
    await this.prepare(this.logs, env, database.ownerUrl);
    await this.keepUp(workerPart(workshop, env), register);
    await this.keepUp(apiPart(workshop, env), register);
  }

  /** Stops all parts, the last started first, and releases the data directory. Never throws. */
  async down(): Promise<void> {
    this.stopping.abort();
    this.logs?.quieten();
    // A start under way gives up by itself; a build of a tool doesn't, and isn't waited for.
    await Promise.race([
      this.goingUp.catch(() => undefined),
      delay(GIVE_UP_AFTER_MS, undefined, { ref: false }),
    ]);
    for (const part of this.started.splice(0).reverse()) {
      this.log(`stopping ${part.name}`);
      await this.orReport(part.stop());
    }
    for (const ending of this.cleanup.splice(0)) await this.orReport(ending());
    await this.logs?.close();
  }

  private async orReport(step: Promise<void>): Promise<void> {
    try {
      await step;
    } catch (error) {
      this.log(messageOf(error));
    }
  }

  private async keepUp(part: Part, register: ChildRegister): Promise<void> {
    this.stopping.signal.throwIfAborted();
    this.log(`starting ${part.name}`);
    const supervised = await supervise(part, {
      log: this.log,
      signal: this.stopping.signal,
      onStarted: (name, pid) => register.started(name, pid),
      onStopped: (name) => register.stopped(name),
    });
    this.started.push(supervised);
  }

  private async database(
    workshop: PartDeps,
    register: ChildRegister,
    passwords: Record<'owner' | 'programs', string>,
  ): Promise<DatabaseAddresses> {
    const { DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl = url } = this.config;
    if (url !== undefined && ownerUrl !== undefined) {
      this.log('using the PostgreSQL server of DATABASE_URL');
      await waitForExternalServer('The server of DATABASE_URL', () => isAcceptingQueries(url));
      return { url, ownerUrl };
    }
    const account = await postgresAccount(this.log);
    const port = await choosePostgresPort(this.config);
    await this.keepUp(await postgresPart(workshop, { port, password: passwords.owner, account }), register);
    const owner = encodeURIComponent(passwords.owner);
    const embedded = `postgres://postgres:${owner}@127.0.0.1:${port}/marketplace`;
    await ensureProgramRole(embedded, passwords.programs);
    return { url: programUrlOf(embedded, passwords.programs), ownerUrl: embedded };
  }

  private async temporal(workshop: PartDeps, register: ChildRegister): Promise<string> {
    const { temporalServer: server, TEMPORAL_NAMESPACE: namespace } = this.config;
    if (server !== undefined) {
      this.log(`using the Temporal server ${server.address} (TEMPORAL_ADDRESS)`);
      const ask = () => requireNamespace(server, namespace);
      await waitForExternalServer('The server of TEMPORAL_ADDRESS', ask);
      return server.address;
    }
    const cli = await resolveTemporalCli(this.log);
    await this.keepUp(temporalPart(workshop, cli), register);
    return `127.0.0.1:${this.config.TEMPORAL_PORT}`;
  }

  /** Runs the migrations, then the seed, which uses the terminal itself when there is one. */
  private async prepare(logs: ChildLogs, env: NodeJS.ProcessEnv, ownerUrl: string): Promise<void> {
    const { signal } = this.stopping;
    signal.throwIfAborted();
    this.log('migrating the database');
    const migrate = { name: 'migrate', file: BUILT.migrate, args: ['up'], ownsTerminal: false };
    const ownerEnv = { ...env, DATABASE_OWNER_URL: ownerUrl };
    await runTask({ ...migrate, env: ownerEnv, output: logs.outputOf('migrate', isNodeError), signal });
    this.log('seeding');
    const seed = { name: 'seed', file: BUILT.seed, args: [], ownsTerminal: process.stdout.isTTY };
    await runTask({ ...seed, env, output: logs.outputOf('seed', () => true), signal });
  }

  /** The environment of our programs; variables that are set already win over generated ones. */
  private childEnvironment(
    databaseUrl: string,
    temporalAddress: string,
    secrets: Omit<Secrets, 'DATABASE_PASSWORD' | 'DATABASE_PROGRAM_PASSWORD'>,
  ): NodeJS.ProcessEnv {
    const { config } = this;
    // The programs must not know how to sign in as the schema's owner.
    const { DATABASE_OWNER_URL: _owner, ...environment } = config.env;
    return {
      ...secrets,
      BLOB_DIR: path.join(config.DATA_DIR, 'blobs'),
      MAIL_DIR: path.join(config.DATA_DIR, 'outbox'),
      UV_THREADPOOL_SIZE: String(threads()),
      PUBLIC_URL: `http://localhost:${config.PORT}`,
      ...(config.TEMPORAL_ADDRESS === undefined && {
        TEMPORAL_UI_URL: `http://localhost:${config.TEMPORAL_UI_PORT}`,
      }),
      ...environment,
      DATABASE_URL: databaseUrl,
      TEMPORAL_ADDRESS: temporalAddress,
      TEMPORAL_NAMESPACE: config.TEMPORAL_NAMESPACE,
      DATA_DIR: config.DATA_DIR,
      PORT: String(config.PORT),
      METRICS_PORT: String(config.METRICS_PORT),
      WORKER_METRICS_PORT: String(config.WORKER_METRICS_PORT),
      WORKER_HEALTH_PORT: String(config.WORKER_HEALTH_PORT),
    };
  }
}
