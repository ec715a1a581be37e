import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { processes as contracts } from '../../../db/program/processes';
import { possibleSteps, processes } from '../../replay/process-code';
import { tableOf, withTable } from '../guide-table';

// `WRITE_PROCESSES=true npx jest tests/architecture/processes` writes the table of the guide.
const root = resolve(__dirname, '../../..');
const GUIDE = join(root, 'workflows/README.md');

const entry = readFileSync(join(root, 'workflows/index.ts'), 'utf8');

test('the bundle lists one process a line, and every body there is', () => {
  const bodies = readdirSync(join(root, 'workflows'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.workflow.ts'))
    .map((path) => path.replace(/\.workflow\.ts$/, ''));
  expect(entry.trim().split('\n')).toHaveLength(processes.length);
  expect(processes.map(({ path }) => path).sort()).toEqual(bodies.sort());
});

test('the list of contracts has each process of the bundle, once', () => {
  expect(contracts.map(({ type }) => type).sort()).toEqual(processes.map(({ type }) => type).sort());
});

test('a contract says of each process that can park that it does, and of no other', () => {
  const parkable = processes.filter((process) => possibleSteps(process).includes('update retry'));
  const parks = contracts.filter((contract) => contract.parks);
  expect(parks.map(({ type }) => type).sort()).toEqual(parkable.map(({ type }) => type).sort());
});

test('the guide has each process with what its contract says', () => {
  const named = new Proxy({}, { get: (_, name) => `<${String(name)}>` }) as never;
  const table = tableOf(
    ['Process', 'Id', 'Queue', 'Parks', 'Drives'],
    contracts.map(({ type, id, queue, parks, drives }) => [
      ...[`\`${type}\``, `\`${id(named)}\``, `\`${queue}\``],
      ...[parks ? 'yes' : '', drives ? `\`${drives.table}\`` : ''],
    ]),
  );
  if (process.env['WRITE_PROCESSES'] === 'true')
    writeFileSync(GUIDE, withTable(readFileSync(GUIDE, 'utf8'), table));
  expect(readFileSync(GUIDE, 'utf8')).toContain(`\n${table}\n`);
});

test('a process that can park, and so may wait for months, continues as new', () => {
  const lasting = processes
    .map((process) => ({ ...process, steps: possibleSteps(process) }))
    .filter(({ steps }) => steps.includes('update retry') && !steps.includes('continues as new'));
  expect(lasting.map(({ type }) => type)).toEqual([]);
});

describe.each(processes)('$type', ({ type, path }) => {
  test('has a contract that publishes it under its own name, as the list has it', () => {
    const contract = jest.requireActual<Record<string, unknown>>(join(root, 'workflows', `${path}.contract`));
    const listed = contracts.find((one) => one.type === type);
    expect(Object.values(contract)).toContain(listed);
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
