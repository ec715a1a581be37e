import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ownDatabase } from '../support/servers/database';
import { statesOf } from './column-states';

const workflows = resolve(__dirname, '../../workflows');

interface StateTable {
  table: string;
  moves: Readonly<Record<string, readonly string[]>>;
}

const isStateTable = (value: unknown): value is StateTable =>
  typeof value === 'object' && value !== null && 'moves' in value;

const stateTables = readdirSync(workflows, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.states.ts'))
  .flatMap((path) => Object.entries(jest.requireActual<Record<string, unknown>>(join(workflows, path))))
  .flatMap(([name, value]) => (isStateTable(value) ? [{ ...value, name }] : []));

/** Every state reachable from `start`, itself included. */
function reachable(moves: StateTable['moves'], start: string): Set<string> {
  const found = new Set([start]);
  for (const state of found) for (const next of moves[state] ?? []) found.add(next);
  return found;
}

describe.each(stateTables)('$name', ({ table, moves }) => {
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

  test('the database knows the same states', async () => {
    expect(await statesOf(own.db, table, 'status')).toEqual([...states].sort());
  });
});

const own = ownDatabase();
