import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { whilePaused } from '../../../local/backup/paused';
import { identify, type ProcessIdentity } from '../../../local/processes/identity';
import { eventually } from '../../support/checks/eventually';
import { typescriptArgv } from '../../support/run/typescript-argv';

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

/** A process that counts on its standard output, in several threads. */
async function counting(): Promise<{ target: ProcessIdentity; count: () => number }> {
  const child = spawn(process.execPath, ['-e', `setInterval(() => process.stdout.write('.'), 2)`]);
  started.push(child);
  let dots = 0;
  child.stdout.on('data', (chunk: Buffer) => (dots += chunk.length));
  await once(child.stdout, 'data');
  return { target: (await identify(child.pid!))!, count: () => dots };
}

const stateOf = ({ pid }: ProcessIdentity): string => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2)[0]!;
};
const goesOn = (count: () => number) => {
  const dots = count();
  return eventually(() => expect(count()).toBeGreaterThan(dots));
};

it('stands still during the work, and goes on afterwards', async () => {
  const { target, count } = await counting();
  expect(
    await whilePaused(target, async () => {
      expect(stateOf(target)).toBe('T');
      return 'done';
    }),
  ).toBe('done');
  await goesOn(count);
});

it('goes on after work that fails', async () => {
  const { target, count } = await counting();
  await expect(whilePaused(target, () => Promise.reject(new Error('full')))).rejects.toThrow('full');
  await goesOn(count);
});

it('goes on when who paused it is killed', async () => {
  const { target, count } = await counting();
  const module = path.resolve(__dirname, '../../../local/backup/paused.ts');
  const script = `require(${JSON.stringify(module)}).whilePaused(${JSON.stringify(target)}, async () => {
    process.stdout.write('paused');
    await new Promise((resolve) => setTimeout(resolve, 600_000));
  });`;
  const pausing = spawn(process.execPath, [...typescriptArgv, '-e', script]);
  started.push(pausing);
  await once(pausing.stdout, 'data');
  expect(stateOf(target)).toBe('T');
  pausing.kill('SIGKILL');
  await eventually(() => expect(stateOf(target)).not.toBe('T'));
  await goesOn(count);
});

it('fails when the process has ended, or ends meanwhile', async () => {
  const { target } = await counting();
  await expect(
    whilePaused(target, async () => {
      const [child] = started;
      child!.kill('SIGKILL');
      await once(child!, 'exit');
    }),
  ).rejects.toThrow('ended while it was paused');
  await expect(whilePaused(target, () => Promise.resolve())).rejects.toThrow('has ended');
});
