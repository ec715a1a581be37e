import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { requirementsOf, type Run } from '../support/run/requirements';

const quick = jest.requireActual<Run>('../../jest.config.js');
const hard = jest.requireActual<Run>('../support/run/hard.config.cjs');
const under = (folder: string) => (file: string) => file.includes(`/tests/${folder}/`);
const anywhere = () => true;

test('`npm test` builds no programs and starts no browser', () => {
  const required = requirementsOf({ ...quick, isRequested: anywhere });
  expect([...required].sort()).toEqual(['bundle', 'postgres', 'stripe mock', 'temporal', 'test server']);
});

test('`npm run test:hard` does', () => {
  const required = requirementsOf({ ...hard, isRequested: anywhere });
  expect([...required]).toEqual(expect.arrayContaining(['build', 'chromium', 'postgres', 'temporal']));
});

test('neither runs what is left to the other', () => {
  expect(requirementsOf({ ...quick, isRequested: under('kill') })).toEqual(new Set());
  expect(requirementsOf({ ...hard, isRequested: under('workflows/identity') })).toEqual(new Set());
});

test('every test file is run by exactly one of them', () => {
  const files = readdirSync(join(__dirname, '..'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => join(__dirname, '..', path));
  const runs = (patterns: string[], file: string) =>
    patterns.some((pattern) => new RegExp(pattern).test(file));
  const { allTests, hardTests } = jest.requireActual<Record<'allTests' | 'hardTests', string[]>>(
    '../support/run/selection.cjs',
  );
  expect(files.filter((file) => !runs(allTests, file))).toEqual([]);
  const hardFiles = files.filter((file) => runs(hardTests, file));
  for (const pattern of hardTests) expect(hardFiles.filter((file) => runs([pattern], file))).not.toEqual([]);
});

test('rules are tested without anything that must be started', () => {
  expect(requirementsOf({ ...quick, isRequested: under('rules') })).toEqual(new Set());
});

test('a test requires what it imports through others', () => {
  expect(requirementsOf({ ...quick, isRequested: (file) => file.endsWith('kit/make.test.ts') })).toEqual(
    new Set(['postgres']),
  );
});
