import { chmod, cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createWriteStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { connect } from '../../../db/sql/connection';
import { migrateUp } from '../../../db/schema/migrate';
import type { Db } from '../../../db/sql/query';
import { ensureProgramRole, programUrlOf } from '../../../local/cluster/program-role';
import { freePort } from '../../../local/machine/ports';
import type { Output } from '../../../local/processes/child';
import { Cleanup } from '../../support/run/cleanup';
import { PROGRAM_PASSWORD, testKeys, testVariables, type Variables } from '../../support/worlds/variables';
import { LastRelease } from './last-release';
import type { Part } from './part';
import { Proxy, throughLink } from './proxy';
import { SETTINGS } from './settings';
import { postgresPart, programPart, temporalPart, type TemporalStore, type Workshop } from './servers';

const root = resolve(__dirname, '../../..');

/** All links between two parts that can be disturbed. */
export type LinkName =
  'front' | 'webhooks' | 'apiDatabase' | 'apiTemporal' | 'workerDatabase' | 'workerTemporal';

/** The whole platform as it is deployed, each part a process: PostgreSQL, Temporal, two APIs, two workers. */
export class Stack {
  private readonly cleanup = new Cleanup();

  private keepsLogs = false;

  private constructor(
    /** A connection without disturbances, as the owner of the schema. */
    readonly db: Db,
    readonly databaseUrl: string,
    readonly temporal: Client,
    readonly parts: Readonly<Record<'postgres' | 'temporal', Part>>,
    readonly apis: Part[],
    readonly workers: Part[],
    readonly links: Readonly<Record<LinkName, Proxy>>,
    /** The folder of the parts' logs. */
    readonly logDir: string,
    /** One more API or worker, not started; some of its variables may differ, or its compiled programs. */
    readonly another: (
      kind: 'api' | 'worker',
      name: string,
      variables?: Variables,
      programs?: string,
    ) => Promise<Part>,
    /** Builds the programs of the last release, the first time that it is called; answers their folder. */
    readonly lastRelease: () => Promise<string>,
  ) {}

  /** Brings everything up. The compiled programs are copied first: a build during a long run must not change it. */
  static async up(store: TemporalStore): Promise<Stack> {
    const cleanup = new Cleanup();
    return cleanup.guard(async () => {
      const dir = await mkdtemp(join(tmpdir(), 'marketplace-faults-'));
      await chmod(dir, 0o755); // PostgreSQL runs under another account when we are root.
      const dist = join(root, 'node_modules/.cache', `faults-${process.pid}`);
      cleanup.add(() => rm(dist, { recursive: true, force: true }));
      await cp(join(root, 'dist'), dist, { recursive: true });
      const workshop: Workshop = { dir, outputOf: await logsIn(join(dir, 'logs')) };

      const { part: postgres, url, port: postgresPort } = await postgresPart(workshop);
      const { part: temporal, port: temporalPort } = await temporalPart(workshop, store, url);
      cleanup.add(
        () => postgres.stop(),
        () => temporal.stop(),
      );
      await postgres.start();
      await ensureProgramRole(url, PROGRAM_PASSWORD);
      const programUrl = programUrlOf(url, PROGRAM_PASSWORD);
      await Promise.all([migrateUp(url, programUrl), temporal.start()]);
      const db = connect({ DATABASE_URL: url, DATABASE_POOL_MAX: 12 }, 'faults', undefined, {
        keys: testKeys,
      });
      cleanup.add(() => db.sequelize.close());
      const connection = await Connection.connect({ address: `127.0.0.1:${temporalPort}` });
      cleanup.add(() => connection.close());

      const [apis, workers]: [Part[], Part[]] = [[], []];
      const apiPorts = new Map<Part, number>();
      const serving = () => apis.flatMap((api) => (api.accepting ? (apiPorts.get(api) ?? []) : []));
      const link = async (targets: () => readonly number[]): Promise<Proxy> => {
        const proxy = await Proxy.open(targets);
        cleanup.add(() => proxy.close());
        return proxy;
      };
      const links = {
        front: await link(serving),
        webhooks: await link(serving),
        apiDatabase: await link(() => [postgresPort]),
        apiTemporal: await link(() => [temporalPort]),
        workerDatabase: await link(() => [postgresPort]),
        workerTemporal: await link(() => [temporalPort]),
      };
      const another: Stack['another'] = async (kind, name, variables = {}, programs = dist) => {
        const [port, own] = [await freePort(), await freePort()];
        const part = programPart({
          name,
          file: join(programs, kind === 'api' ? 'api/main.js' : 'workers/main.js'),
          readyUrl: `http://127.0.0.1:${port}/health/ready`,
          output: workshop.outputOf(name),
          env: {
            PATH: process.env['PATH'],
            ...testVariables,
            LOG_LEVEL: 'warn',
            MAIL_DIR: join(dir, 'mail'),
            DATABASE_URL: throughLink(programUrl, links[`${kind}Database`]),
            TEMPORAL_ADDRESS: `127.0.0.1:${links[`${kind}Temporal`].port}`,
            ...SETTINGS,
            PUBLIC_URL: `http://127.0.0.1:${links.front.port}`,
            SANDBOX_WEBHOOK_URL: `http://127.0.0.1:${links.webhooks.port}`,
            ...(kind === 'api'
              ? { PORT: String(port), METRICS_PORT: String(own) }
              : { WORKER_HEALTH_PORT: String(port), WORKER_METRICS_PORT: String(own) }),
            ...variables,
          },
        });
        if (kind === 'api') apiPorts.set(part, port);
        (kind === 'api' ? apis : workers).push(part);
        cleanup.add(() => part.stop());
        return part;
      };
      for (const name of ['worker-1', 'worker-2']) await another('worker', name);
      for (const name of ['api-1', 'api-2']) await another('api', name);
      await Promise.all(workers.map((worker) => worker.start()));
      await Promise.all(apis.map((api) => api.start()));

      const release = new LastRelease();
      cleanup.add(() => release.remove());
      const client = new Client({ connection });
      const stack = new Stack(
        db,
        url,
        client,
        { postgres, temporal },
        apis,
        workers,
        links,
        join(dir, 'logs'),
        another,
        () => release.programs(),
      );
      stack.cleanup.add(
        () => stack.keepsLogs || rm(dir, { recursive: true, force: true }),
        () => cleanup.run(),
      );
      return stack;
    });
  }

  get frontPort(): number {
    return this.links.front.port;
  }

  get all(): Part[] {
    return [this.parts.postgres, this.parts.temporal, ...this.workers, ...this.apis];
  }

  /** Ends all disturbances and starts the parts that are down, in order. */
  async heal(): Promise<void> {
    for (const part of this.all) part.thaw();
    for (const link of Object.values(this.links)) link.heal();
    await this.parts.postgres.start();
    await this.parts.temporal.start();
    await Promise.all([...this.workers, ...this.apis].map((part) => part.start()));
  }

  /** Ends and removes a part. */
  async retire(part: Part): Promise<void> {
    for (const parts of [this.apis, this.workers])
      if (parts.includes(part)) parts.splice(parts.indexOf(part), 1);
    await part.kill();
  }

  /** The last output of parts that ended by themselves since the last call. */
  newCrashes(): string[] {
    return this.all.flatMap(({ crashes }) => crashes.splice(0));
  }

  /** Ends everything; `keepLogs` leaves the logs for an analysis. */
  async down({ keepLogs = false } = {}): Promise<void> {
    this.keepsLogs = keepLogs;
    await this.cleanup.run();
  }
}

/** Writes each part's output to a file of its own. */
async function logsIn(dir: string): Promise<(name: string) => Output> {
  await mkdir(dir, { recursive: true });
  return (name) => {
    const file = createWriteStream(join(dir, `${name}.log`), { flags: 'a' });
    return (line) => void file.write(`${line}\n`);
  };
}
