import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { PARKABLE_TYPES } from '../../workers/observe/gauges/parkable-processes';
import { possibleSteps, processes } from '../replay/process-code';

const root = resolve(__dirname, '../..');

const entry = readFileSync(join(root, 'workflows/index.ts'), 'utf8');

test('the bundle lists one process a line, and every body there is', () => {
  const bodies = readdirSync(join(root, 'workflows'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.workflow.ts'))
    .map((path) => path.replace(/\.workflow\.ts$/, ''));
  expect(entry.trim().split('\n')).toHaveLength(processes.length);
  expect(processes.map(({ path }) => path).sort()).toEqual(bodies.sort());
});

test('the figures have a series for each process that can park, and for no other', () => {
  const parkable = processes.filter((process) => possibleSteps(process).includes('update retry'));
  expect([...PARKABLE_TYPES].sort()).toEqual(parkable.map(({ type }) => type).sort());
});

test('a process that can park, and so may wait for months, continues as new', () => {
  const lasting = processes
    .map((process) => ({ ...process, steps: possibleSteps(process) }))
    .filter(({ steps }) => steps.includes('update retry') && !steps.includes('continues as new'));
  expect(lasting.map(({ type }) => type)).toEqual([]);
});

describe.each(processes)('$type', ({ type, path }) => {
  test('has a contract that publishes it under its own name', () => {
    const contract = jest.requireActual<Record<string, unknown>>(join(root, 'workflows', `${path}.contract`));
    const definitions = Object.values(contract).filter(isDefinition);
    expect(definitions.map((definition) => definition.type)).toContain(type);
  });

  test('has a test', () => {
    const folder = join(root, 'tests/workflows', dirname(path));
    const tests = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.test.ts')) : [];
    expect(tests.filter((file) => file.startsWith(basename(path)))).not.toEqual([]);
  });

  test('has a recorded history', () => {
    const folder = join(root, 'tests/replay', type);
    expect(
      existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.json')) : [],
    ).not.toEqual([]);
  });
});

function isDefinition(value: unknown): value is { type: string } {
  return typeof value === 'object' && value !== null && 'type' in value && 'queue' in value;
}
