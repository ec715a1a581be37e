import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';
import { startOf } from '../../local/processes/identity';
import { spawnChild } from '../../local/processes/child';
import { ChildRegister, endLeftovers } from '../../local/processes/leftovers';
import { useScratch } from './scratch';

const scratch = useScratch();

const shell = (script: string, graceMs?: number) => {
  let sayReady: () => void = () => undefined;
  const lines: string[] = [];
  const ready = new Promise<void>((resolve) => (sayReady = resolve));
  const child = spawnChild({
    name: 'child',
    command: '/bin/sh',
    args: ['-c', script],
    env: {},
    output: (line, stream) => {
      lines.push(`${stream}: ${line}`);
      if (line === 'ready') sayReady();
    },
    ...(graceMs === undefined ? {} : { graceMs }),
  });
  return { child, lines, ready };
};

const gone = async (pid: number) => {
  while ((await startOf(pid)) !== undefined) await new Promise(setImmediate);
};

describe('a child', () => {
  it('hands its lines on and tells how it ended, with its last words', async () => {
    const { child, lines } = shell('echo out; echo err >&2; exit 3');
    const { code, message } = await (await child).exited;
    expect(code).toBe(3);
    expect(message).toContain('child ended with code 3');
    expect(message).toContain('err');
    expect(lines.sort()).toEqual(['stderr: err', 'stdout: out']);
  });

  it('that is stopped may end in order', async () => {
    const { child, ready } = shell('trap "echo bye; exit 0" TERM; echo ready; while :; do sleep 0.01; done');
    const running = await child;
    await ready;
    await running.stop();
    expect((await running.exited).message).toMatch(/ended with code 0[^]*bye/);
  });

  it('that does not stop within its grace is killed', async () => {
    const { child, ready } = shell('trap "" TERM; echo ready; while :; do sleep 0.01; done', 50);
    const running = await child;
    await ready;
    await running.stop();
    expect((await running.exited).message).toContain('was ended by SIGKILL');
  });

  it('that cannot be started is named', async () => {
    const child = spawnChild({ name: 'worker', command: '/nowhere/program', args: [], env: {} });
    await expect(child).rejects.toThrow('worker could not be started');
  });

  it('ends when its parent is killed', async () => {
    const source = await readFile(path.join(__dirname, '../../local/processes/guard.ts'), 'utf8');
    const compilerOptions = { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022 };
    await writeFile(
      path.join(scratch(), 'guard.js'),
      transpileModule(source, { compilerOptions }).outputText,
    );
    const script = `
      const { guardOrphan } = require('./guard.js');
      const child = require('node:child_process').spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
      guardOrphan(child.pid, 'SIGTERM');
      console.log(child.pid);
      setInterval(() => undefined, 1000);`;
    const parent = spawn(process.execPath, ['-e', script], {
      cwd: scratch(),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = await once(parent.stdout, 'data');
    const pid = Number(String(said));
    expect(await startOf(pid)).toBeDefined();
    parent.kill('SIGKILL');
    await gone(pid);
  });
});

describe('what a killed start has left', () => {
  it('is ended by the next one', async () => {
    const file = path.join(scratch(), 'children.json');
    const { child } = shell('exec sleep 600');
    const running = await child;
    await new ChildRegister(file).started('api', running.pid);
    const lines: string[] = [];
    await endLeftovers(file, (line) => lines.push(line));
    expect((await running.exited).message).toContain('was ended by SIGINT');
    expect(lines).toEqual([`ending api (process ${String(running.pid)}), which an earlier start has left`]);
  });

  it('is let be when its process id belongs to another by now', async () => {
    const file = path.join(scratch(), 'reused.json');
    const { child } = shell('exec sleep 600');
    const running = await child;
    const process = { pid: running.pid, startedAt: 'another boot:1' };
    await writeFile(file, JSON.stringify([{ name: 'api', process }]));
    await endLeftovers(file, () => undefined);
    expect(await startOf(running.pid)).toBeDefined();
    await running.kill();
  });

  it('is nothing when the note is damaged', async () => {
    const file = path.join(scratch(), 'damaged.json');
    await writeFile(file, '[{');
    await expect(endLeftovers(file, () => undefined)).resolves.toBeUndefined();
  });

  it('does not hold what was stopped in order', async () => {
    const file = path.join(scratch(), 'stopped.json');
    const { child } = shell('exec sleep 600');
    const running = await child;
    const register = new ChildRegister(file);
    await register.started('api', running.pid);
    expect(await readFile(file, 'utf8')).toContain(String(running.pid));
    await running.stop();
    await register.stopped('api');
    expect(await readFile(file, 'utf8')).toBe('[]');
  });
});
