import { join } from 'node:path';
import { answersOk, waitUntilReady } from '../../../local/gate';
import { freePort } from '../../../local/machine/ports';
import { startPostgres } from '../../../local/servers/postgres';
import { spawnChild, type Output, type Running } from '../../../local/processes/child';
import { startTemporal } from '../../../local/temporal-server/temporal';
import { freeTemporalPorts, startTemporalOnPostgres } from '../../../local/servers/temporal-on-postgres';
import { resolveTemporalCli } from '../../../local/toolchain/temporal-cli';
import { resolveTemporalServer } from '../../../local/toolchain/temporal-server';
import { Part } from './part';

const aside = (line: string): void => void process.stderr.write(`${line}\n`);
const sayNothing = (): void => undefined;
const startWithinMs = 90_000;

/** Temporal's storage: a file of its own, or tables in the same PostgreSQL server. */
export type TemporalStore = 'file' | 'postgres';

export interface Workshop {
  /** The folder for all files of the stack. */
  dir: string;
  /** Receives the output of a part. */
  outputOf: (name: string) => Output;
}

/** A crash of the machine is not among the faults, so nothing waits for the disk; what is committed survives a kill. */
const postgresSettings = {
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: 120,
  shared_buffers: '128MB',
  restart_after_crash: 'on',
};

/** PostgreSQL, always at the same address. */
export async function postgresPart({
  dir,
  outputOf,
}: Workshop): Promise<{ part: Part; url: string; port: number }> {
  const port = await freePort();
  const options = {
    dataDir: join(dir, 'postgres'),
    port,
    settings: postgresSettings,
    log: sayNothing,
    output: outputOf('postgres'),
  };
  const part = new Part('PostgreSQL', () => startPostgres(options));
  return { part, port, url: `postgres://postgres:postgres@127.0.0.1:${port}/marketplace` };
}

/** Temporal, always at the same address. */
export async function temporalPart(
  { dir, outputOf }: Workshop,
  store: TemporalStore,
  postgresUrl: string,
): Promise<{ part: Part; port: number }> {
  const output = outputOf('temporal');
  if (store === 'postgres') {
    const tools = await resolveTemporalServer(aside);
    const ports = await freeTemporalPorts();
    const options = { tools, ports, postgresUrl, dir: join(dir, 'temporal'), log: sayNothing, output };
    return { part: new Part('Temporal', () => startTemporalOnPostgres(options)), port: ports.frontend };
  }
  const cli = await resolveTemporalCli(aside);
  const port = await freePort();
  const options = { cli, port, dbFile: join(dir, 'temporal.db'), log: sayNothing, output };
  return { part: new Part('Temporal', () => startTemporal(options)), port };
}

interface Program {
  name: string;
  /** The compiled program. */
  file: string;
  env: NodeJS.ProcessEnv;
  readyUrl: string;
  output: Output;
}

/** One of our own programs. */
export function programPart({ name, file, env, readyUrl, output }: Program): Part {
  return new Part(name, async (): Promise<Running> => {
    const running = await spawnChild({
      name,
      command: process.execPath,
      args: [file],
      env,
      graceMs: 40_000,
      output,
    });
    try {
      await waitUntilReady({ name, running, isReady: () => answersOk(readyUrl), withinMs: startWithinMs });
      return running;
    } catch (error) {
      await running.kill();
      throw error;
    }
  });
}
