import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import supertest from 'supertest';
import { connect } from '../../../db/sql/connection';
import { TemporalConfig, temporalServer } from '../../../db/sql/environment/temporal';
import { readVariables } from '../../../db/sql/environment/variables';
import type { Db } from '../../../db/sql/query';
import { answersOk, waitUntilReady } from '../../../local/gate';
import { freePort } from '../../../local/machine/ports';
import { spawnChild, type Running } from '../../../local/processes/child';
import { testKeys, testVariables, type Variables } from './variables';

const dist = resolve(__dirname, '../../../dist');
const READY_WITHIN_MS = 180_000;

/** The result of a command of the operator. */
export interface Outcome {
  code: number;
  output: string;
}

/** One machine: a data directory with ports of its own, on which the built launcher and its commands run. */
export class Machine {
  private constructor(
    readonly dataDir: string,
    private readonly env: NodeJS.ProcessEnv,
    private readonly port: number,
  ) {}

  /** A machine without demo data, unless `changed` asks for them. */
  static async at(dataDir: string, changed: Variables = {}): Promise<Machine> {
    const names = [
      ...['PORT', 'METRICS_PORT', 'WORKER_METRICS_PORT', 'WORKER_HEALTH_PORT', 'PG_PORT'],
      ...['TEMPORAL_PORT', 'TEMPORAL_UI_PORT'],
    ];
    const ports = new Map<string, number>();
    while (ports.size < names.length) {
      const port = await freePort();
      if (![...ports.values()].includes(port)) ports.set(names[ports.size]!, port);
    }
    // Pictures and documents are kept in the data directory.
    const { BLOB_DIR: _shared, ...variables } = testVariables;
    const env = {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      ...variables,
      DATA_DIR: dataDir,
      SEED_DEMO: 'false',
      ...changed,
      ...Object.fromEntries([...ports].map(([name, port]) => [name, String(port)])),
    };
    return new Machine(dataDir, env, ports.get('PORT')!);
  }

  /** Starts the platform and waits until it is ready. */
  async start(): Promise<LaunchedWorld> {
    const running = await spawnChild({
      name: 'npm start',
      command: process.execPath,
      args: [join(dist, 'local/main.js')],
      env: this.env,
      graceMs: 90_000,
    });
    const url = `http://127.0.0.1:${this.port}`;
    const isReady = () => answersOk(`${url}/health/ready`);
    try {
      await waitUntilReady({ name: 'npm start', running, isReady, withinMs: READY_WITHIN_MS });
      const written = parseEnv(await readFile(join(this.dataDir, 'platform.env'), 'utf8'));
      const { DATABASE_URL, TEMPORAL_NAMESPACE: namespace } = written;
      const db = connect({ DATABASE_URL: DATABASE_URL! }, 'test', undefined, { keys: testKeys });
      const server = temporalServer(readVariables(TemporalConfig, written));
      const connection = await Connection.connect(server);
      const stop = async () => {
        await db.sequelize.close();
        await connection.close();
        await running.stop();
      };
      return {
        http: supertest(url),
        db,
        temporal: new Client({ connection, namespace: namespace! }),
        running,
        stop,
      };
    } catch (error) {
      await running.stop();
      throw error;
    }
  }

  /** Runs one of the operator's commands to its end, such as `local/backup/backup.js`. */
  command(file: string, args: readonly string[] = [], variables: Variables = {}): Promise<Outcome> {
    return outcomeOf(process.execPath, [join(dist, file), ...args], { ...this.env, ...variables });
  }

  /** The same by a shell's script, in which `$@` is the command. */
  commandIn(script: string, file: string, args: readonly string[]): Promise<Outcome> {
    const words = ['-c', script, 'sh', process.execPath, join(dist, file), ...args];
    return outcomeOf('/bin/sh', words, this.env);
  }

  /** The same with the addresses that the running platform has written down. */
  async commandOnRunning(file: string, args: readonly string[] = []): Promise<Outcome> {
    const text = await readFile(join(this.dataDir, 'platform.env'), 'utf8');
    return this.command(file, args, parseEnv(text) as Variables);
  }

  /** `npm run invariants`. */
  invariants(): Promise<Outcome> {
    return this.commandOnRunning('workers/checks/check-invariants.js');
  }
}

/** The running platform of a machine. */
export interface LaunchedWorld {
  http: ReturnType<typeof supertest>;
  db: Db;
  temporal: Client;
  running: Running;
  stop: () => Promise<void>;
}

const outcomeOf = (command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Outcome> =>
  new Promise((settle) => {
    execFile(command, args, { env }, (error, stdout, stderr) =>
      settle({ code: error ? Number(error.code ?? -1) : 0, output: stdout + stderr }),
    );
  });
