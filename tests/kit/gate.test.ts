import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

interface File {
  file: string;
  began: number;
  passed?: number;
  skipped?: number;
  failures?: string[];
}
interface Run {
  selected: string[];
  first: { files: Map<string, File>; isBrokenOff: boolean; crash?: string };
  again?: Map<string, File>;
  now?: number;
}
const { verdictOf } = jest.requireActual<{
  verdictOf: (run: Run & { nameOf: (file: string) => string }) => { lines: string[]; ok: boolean };
}>('../support/run/gate/verdict.cjs');
const gate = resolve(__dirname, '../support/run/gate/main.cjs');

describe('the gate, with planted tests', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'planted-'));
    const config = { rootDir: folder, testRegex: ['\\.test\\.js$'], testTimeout: 1_000, transform: {} };
    writeFileSync(join(folder, 'jest.json'), JSON.stringify(config));
    plant('good', "test('adds', () => expect(1 + 1).toBe(2));");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const plant = (name: string, code: string) => writeFileSync(join(folder, `${name}.test.js`), code);
  const run = (seconds = 300, ...args: string[]) => {
    const command = [gate, '--config', join(folder, 'jest.json'), ...args];
    const env = { ...process.env, GATE_SECONDS: String(seconds) };
    const { status, stdout } = spawnSync(process.execPath, command, { env, encoding: 'utf8' });
    const lines = stdout.trim().split('\n');
    const named = lines.filter((line) => /^(unsteady|failed|not reached): /.test(line));
    return { status, last: lines.at(-1), named: named.map((line) => line.replace(/ \S*planted-\w+\//, ' ')) };
  };

  test('all pass', () => {
    expect(run()).toEqual({ status: 0, last: '1 passed, 0 failed', named: [] });
  });

  test('only the files that are named are run', () => {
    plant('bad', "test('adds', () => expect(1 + 1).toBe(3));");
    expect(run(300, 'good')).toEqual({ status: 0, last: '1 passed, 0 failed', named: [] });
  });

  test('a test that fails once is unsteady', () => {
    const mark = JSON.stringify(join(folder, 'mark'));
    plant(
      'once',
      `const { existsSync, writeFileSync } = require('node:fs');
      test('is there', () => {
        const is = existsSync(${mark});
        writeFileSync(${mark}, '');
        expect(is).toBe(true);
      });
      test('adds', () => undefined);`,
    );
    const { status, last, named } = run();
    expect({ status, last }).toEqual({ status: 0, last: '3 passed, 0 failed' });
    expect(named).toEqual([expect.stringMatching(/^unsteady: once\.test\.js › is there: Error: expect\(/)]);
  });

  test('a test that fails always fails, like one that hangs and a file that cannot be loaded', () => {
    plant('always', "test('adds', () => expect(1 + 1).toBe(3));");
    plant('hanging', "test('ends', () => new Promise(() => {}));");
    plant('broken', "require('./nowhere');");
    plant('after', "test('adds', () => undefined); afterAll(() => { throw new Error('still open'); });");
    const { status, last, named } = run();
    expect({ status, last }).toEqual({ status: 1, last: '2 passed, 4 failed' });
    expect(named.sort()).toEqual([
      expect.stringMatching(/^failed: after\.test\.js › .*still open/),
      expect.stringMatching(/^failed: always\.test\.js › adds: Error: expect\(/),
      expect.stringMatching(/^failed: broken\.test\.js › outside its tests: .*nowhere/),
      expect.stringMatching(/^failed: hanging\.test\.js › ends: .*Exceeded timeout of 1000 ms/),
    ]);
  });

  test('more than eight files that fail are not run again', () => {
    for (let n = 0; n < 9; n++)
      plant(`bad-${n}`, "console.log('tried'); test('fails', () => expect(1).toBe(2));");
    const command = [gate, '--config', join(folder, 'jest.json')];
    const { stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
    expect(stdout.trim().split('\n').at(-1)).toBe('1 passed, 9 failed');
    expect(`${stdout}${stderr}`.match(/^\s+tried$/gm)).toHaveLength(9);
  });

  test('a file that does not end within the time is not reached, and too few files are a failure', () => {
    plant('endless', 'for (;;);');
    const { status, last, named } = run(8, 'endless');
    expect({ status, last }).toEqual({ status: 1, last: '0 passed, 1 failed, 1 skipped' });
    expect(named).toEqual(['not reached: endless.test.js', 'failed: 0 of 1 files were run']);
  });

  test('files that are not reached because jest ends are failures, also after one that is unsteady', () => {
    const mark = JSON.stringify(join(folder, 'mark'));
    plant(
      'a-once',
      `const { existsSync, writeFileSync } = require('node:fs');
      test('is there', () => {
        const is = existsSync(${mark});
        writeFileSync(${mark}, '');
        expect(is).toBe(true);
      });
      // Jest begins with the largest file: ${'.'.repeat(1_000)}`,
    );
    // Ends jest, once, as a lack of memory would.
    const ends = `if (!require('node:fs').existsSync(${JSON.stringify(join(folder, 'ended'))})) {
      require('node:fs').writeFileSync(${JSON.stringify(join(folder, 'ended'))}, '');
      process.kill(process.pid, 'SIGKILL');
    }`;
    plant('b-ending', `test('ends', () => { ${ends} });`);
    const { status, named } = run(300, '--runInBand');
    expect(status).toBe(1);
    expect(named).toEqual([
      expect.stringMatching(/^unsteady: a-once\.test\.js/),
      'failed: b-ending.test.js › it was not run',
      'failed: good.test.js › it was not run',
    ]);
  });

  test('no file, and a set-up that fails, are failures', () => {
    expect(run(300, 'nowhere').status).toBe(1);
    writeFileSync(join(folder, 'set-up.js'), "module.exports = () => { throw new Error('no server'); };");
    expect(run(300, '--globalSetup', join(folder, 'set-up.js'))).toMatchObject({
      status: 1,
      named: ['failed: good.test.js › it was not run', 'failed: jest ended with 1'],
    });
  });
});

describe('the verdict of a run that its time broke off', () => {
  const NOW = 3_600_000;
  const files = Array.from({ length: 20 }, (_, n) => `file-${n}`);
  const passedOf = (file: string): File => ({ file, began: 0, passed: 10, skipped: 0, failures: [] });
  const verdict = (
    reached: number,
    more: File[] = [],
    again = new Map<string, File>(),
    isBrokenOff = true,
  ) => {
    const results = [...files.slice(0, reached).map(passedOf), ...more];
    const first = { files: new Map(results.map((result) => [result.file, result])), isBrokenOff };
    return verdictOf({ selected: files, first, again, nameOf: (file) => file, now: NOW });
  };

  test('passes with nine tenths of the files, and names the others', () => {
    expect(verdict(18)).toEqual({
      lines: ['not reached: file-18', 'not reached: file-19', '180 passed, 0 failed, 2 skipped'],
      ok: true,
    });
  });

  test('fails with fewer', () => {
    expect(verdict(17)).toMatchObject({ ok: false });
    expect(verdict(17).lines.at(-1)).toBe('170 passed, 1 failed, 3 skipped');
  });

  test('fails if a file has been running for a quarter of an hour', () => {
    expect(verdict(19, [{ file: 'file-19', began: NOW - 60_000 }])).toMatchObject({ ok: true });
    expect(verdict(19, [{ file: 'file-19', began: NOW - 900_000 }])).toEqual({
      lines: ['failed: file-19 › it did not end', '190 passed, 1 failed'],
      ok: false,
    });
  });

  test('fails for every file that was not reached if it ended by itself', () => {
    expect(verdict(19, [], new Map(), false)).toEqual({
      lines: ['failed: file-19 › it was not run', '190 passed, 1 failed'],
      ok: false,
    });
  });

  test('fails if there was no time to run a failed file again', () => {
    const failing = { ...passedOf('file-19'), failures: ['adds: no'] };
    expect(verdict(19, [failing]).ok).toBe(false);
    expect(verdict(19, [failing], new Map([['file-19', { file: 'file-19', began: 1 }]])).ok).toBe(false);
    expect(verdict(19, [failing], new Map([['file-19', passedOf('file-19')]])).ok).toBe(true);
  });
});
