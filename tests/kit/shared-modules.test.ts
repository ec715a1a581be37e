import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(__dirname, '../..');
const { swc } = jest.requireActual<{ swc: object }>('../../local/build/swc.cjs');

interface Report {
  testResults: {
    name: string;
    startTime: number;
    message: string;
    assertionResults: { title: string; status: string; failureMessages: string[] }[];
  }[];
}

describe('the runner that shares modules, with planted tests', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'planted-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs the files one after the other in one process, the longest first; answers the failures of each by its name, in the order of the runs. */
  function failuresOf(files: Readonly<Record<string, string>>): Record<string, string[]> {
    const config = {
      rootDir: folder,
      testRegex: ['\\.test\\.ts$'],
      testTimeout: 2_000,
      testRunner: join(root, 'tests/support/run/shared-modules.cjs'),
      transform: { '^.+\\.ts$': [require.resolve('@swc/jest'), swc] },
    };
    writeFileSync(join(folder, 'jest.json'), JSON.stringify(config));
    for (const [name, code] of Object.entries(files)) writeFileSync(join(folder, `${name}.test.ts`), code);
    const report = join(folder, 'report.json');
    const jestProgram = require.resolve('jest/bin/jest');
    const args = ['--config', join(folder, 'jest.json'), '--runInBand', '--json', '--outputFile', report];
    spawnSync(process.execPath, [jestProgram, ...args], { encoding: 'utf8', cwd: root });
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
    testResults.sort((a, b) => a.startTime - b.startTime);
    return Object.fromEntries(
      testResults.map(({ name, message, assertionResults }) => {
        const failed = assertionResults.flatMap(({ failureMessages }) => failureMessages);
        const all = failed.length === 0 && message !== '' ? [message] : failed;
        return [
          name.replace(/.*\/(\w+)\.test\.ts$/, '$1'),
          all.map((failure) => failure.split('\n').join(' ')),
        ];
      }),
    );
  }

  test('a hang, a failing afterAll, a rejection that nobody handles and a failed load are reported', () => {
    const failures = failuresOf({
      good: `test('adds', () => expect(1 + 1).toBe(2));`,
      hangs: `test('hangs', () => new Promise(() => undefined));`,
      ends: `afterAll(() => { throw new Error('of afterAll'); }); test('adds', () => undefined);`,
      rejects: `test('rejects', async () => {
        void Promise.reject(new Error('lost'));
        await new Promise((done) => setTimeout(done, 100));
      });`,
      absent: `import './nothing-there'; test('adds', () => undefined);`,
    });
    expect(failures).toEqual({
      good: [],
      hangs: [expect.stringContaining('Exceeded timeout of 2000 ms')],
      ends: [expect.stringContaining('of afterAll')],
      rejects: [expect.stringContaining('lost')],
      absent: [expect.stringContaining('nothing-there')],
    });
  });

  test('what a file leaves behind is undone: variables of the environment, and spies', () => {
    const failures = failuresOf({
      // The longer one is run first.
      leaves: `// ${'-'.repeat(2_000)}
        test('leaves things behind', () => {
          process.env['LEFT_BEHIND'] = 'yes';
          delete process.env['PATH'];
          jest.spyOn(Math, 'max').mockReturnValue(-1);
        });`,
      finds: `test('finds nothing of it', () => {
          expect(process.env['LEFT_BEHIND']).toBeUndefined();
          expect(process.env['PATH']).toBeDefined();
          expect(Math.max(1, 2)).toBe(2);
        });`,
    });
    expect(Object.entries(failures)).toEqual([
      ['leaves', []],
      ['finds', []],
    ]);
  });
});
