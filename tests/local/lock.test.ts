import { execFile } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { identify } from '../../local/processes/identity';
import { acquireLock, lockHolder } from '../../local/processes/lock';
import { useScratch } from './scratch';

const scratch = useScratch();
const fileOf = (name: string) => path.join(scratch(), name, 'lock');

const take = async (file: string) => {
  const answer = await acquireLock(file);
  if ('heldBy' in answer) throw new Error(`held by ${String(answer.heldBy.pid)}`);
  return answer;
};

/** The id of a process that has ended. */
const deadPid = async () => {
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', 'echo $$']);
  return Number(stdout);
};

it('is refused to a second one, who is told the holder, until it is released', async () => {
  const file = fileOf('twice');
  const first = await take(file);
  await expect(acquireLock(file)).resolves.toEqual({ heldBy: await identify(process.pid) });
  await first.release();
  await (await take(file)).release();
  expect(await lockHolder(file)).toBeUndefined();
});

it('goes to one of many who ask at once', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => acquireLock(fileOf('many'))));
  expect(answers.filter((answer) => 'release' in answer)).toHaveLength(1);
});

it("goes to one of many who ask at once for a dead one's", async () => {
  const file = fileOf('many-stale');
  await (await take(file)).release();
  await writeFile(file, JSON.stringify({ pid: await deadPid(), startedAt: 'boot:1' }));
  const answers = await Promise.all(Array.from({ length: 20 }, () => acquireLock(file)));
  expect(answers.filter((answer) => 'release' in answer)).toHaveLength(1);
  expect(await readdir(path.dirname(file))).toEqual(['lock']);
});

describe('counts as free when its holder', () => {
  it.each([
    ['has died', async () => JSON.stringify({ pid: await deadPid(), startedAt: 'boot:1' })],
    [
      'has died and its process id is in use again',
      async () => JSON.stringify({ pid: process.pid, startedAt: 'boot:1' }),
    ],
    ['left it half written', async () => '{"pid": 1'],
  ])('%s', async (name, content) => {
    const file = fileOf(name);
    await (await take(file)).release();
    await writeFile(file, await content());
    await expect(take(file)).resolves.toBeDefined();
    expect(await lockHolder(file)).toEqual(await identify(process.pid));
  });
});
