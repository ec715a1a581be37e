import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ownDatabase } from '../support/servers/database';
import { statesOf } from './column-states';

const workflows = resolve(__dirname, '../../workflows');
const db = resolve(__dirname, '../../db');

interface StateTable {
  moves: Readonly<Record<string, readonly string[]>>;
}

const isStateTable = (value: unknown): value is StateTable =>
  typeof value === 'object' && value !== null && 'moves' in value;

const filesIn = (folder: string, suffix: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(suffix))
    .map((path) => join(folder, path));

const matches = (path: string, pattern: RegExp): RegExpExecArray[] => [
  ...readFileSync(path, 'utf8').matchAll(pattern),
];

const stateTables = filesIn(workflows, '.states.ts')
  .flatMap((path) => Object.entries(jest.requireActual<Record<string, unknown>>(path)))
  .flatMap(([name, value]) => (isStateTable(value) ? [{ name, moves: value.moves }] : []));

/** The types of the states of each table: `export type OrderStatus = StateOf<typeof orderStates>`. */
const typesOf = filesIn(workflows, '.states.ts')
  .flatMap((path) => matches(path, /^export type (\w+) = StateOf<typeof (\w+)>;$/gm))
  .map(([, type, name]) => ({ type: type!, name: name! }));

/** The columns of the models that have such a type: `declare status: OrderStatus`. */
const columns = filesIn(db, '.model.ts').flatMap((path) => {
  const [[, table]] = matches(path, /tableName: '(\w+)'/g) as [RegExpExecArray];
  return matches(path, /^ {2}declare (\w+): (?:CreationOptional<)?(\w+)>?;$/gm).map(([, field, type]) => ({
    table: table!,
    column: field!.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    type: type!,
  }));
});

/** Every state reachable from `start`, itself included. */
function reachable(moves: StateTable['moves'], start: string): Set<string> {
  const found = new Set([start]);
  for (const state of found) for (const next of moves[state] ?? []) found.add(next);
  return found;
}

test('each table of states has one type', () => {
  expect(typesOf.map(({ name }) => name).sort()).toEqual(stateTables.map(({ name }) => name).sort());
  expect(stateTables.length).toBeGreaterThan(10);
});

describe.each(stateTables)('$name', ({ name, moves }) => {
  const states = Object.keys(moves);

  test('moves lead to states of the table, and no state to itself', () => {
    for (const [state, targets] of Object.entries(moves)) {
      expect(states).toEqual(expect.arrayContaining([...targets]));
      expect(targets).not.toContain(state);
    }
  });

  test('every state is reachable from the first', () => {
    expect([...reachable(moves, states[0]!)].sort()).toEqual([...states].sort());
  });

  test('every state leads to an end, and an end leads nowhere', () => {
    const ends = states.filter((state) => moves[state]!.length === 0);
    expect(ends.length).toBeGreaterThan(0);
    for (const state of states)
      expect({ state, ends: ends.some((end) => reachable(moves, state).has(end)) }).toEqual({
        state,
        ends: true,
      });
  });

  test('the database allows the same states in its column', async () => {
    const ofTable = typesOf.filter((one) => one.name === name).map(({ type }) => type);
    const allowed = await Promise.all(
      columns
        .filter(({ type }) => ofTable.includes(type))
        .map(({ table, column }) => statesOf(own.db, table, column)),
    );
    // A history of states copies them from the column that is checked.
    const checked = allowed.filter((found) => found.length > 0);
    expect(checked).toHaveLength(1);
    expect(checked[0]).toEqual([...states].sort());
  });
});

const own = ownDatabase();
