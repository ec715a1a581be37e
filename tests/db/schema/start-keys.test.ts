import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { typescriptArgv } from '../../support/run/typescript-argv';
import { ownDatabase } from '../../support/servers/database';
import { testVariables } from '../../support/worlds/variables';
import { record } from '../administration/audit/audit.world';

const own = ownDatabase();

/** A program's output until it ends, and its exit code. */
async function run(program: string, variables: Record<string, string>) {
  const env = { ...process.env, ...testVariables, LOG_LEVEL: 'info', ...variables };
  const child = spawn(process.execPath, [...typescriptArgv, join(__dirname, '../../..', program)], {
    env,
    timeout: 50_000,
  });
  let written = '';
  child.stdout.on('data', (part: Buffer) => (written += part.toString()));
  child.stderr.on('data', (part: Buffer) => (written += part.toString()));
  const code = await new Promise((resolve) => child.once('exit', resolve));
  return { code, written };
}

test.each(['api/main.ts', 'workers/main.ts'])(
  '%s does not start with keys under which nobody else could verify the audit trail',
  async (program) => {
    await record(own.db);
    const { code, written } = await run(program, {
      DATABASE_URL: own.url,
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      SEALING_KEYS: `made-up:${Buffer.alloc(32, 1).toString('base64')}`,
      PORT: '0',
      METRICS_PORT: '0',
      WORKER_METRICS_PORT: '0',
    });
    expect(written).toContain('SEALING_KEYS lacks the key test');
    expect(code).toBe(1);
  },
);
