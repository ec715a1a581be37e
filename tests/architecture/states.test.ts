import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ownDatabase } from '../support/servers/database';
import { statesOf } from './column-states';

const workflows = resolve(__dirname, '../../workflows');

/** The column of each table of states, whose CHECK has the same states. */
const columnOf: Readonly<Record<string, { table: string; column: string }>> = {
  orderStates: { table: 'orders', column: 'status' },
  paymentRefundStates: { table: 'payment_refunds', column: 'status' },
  refundRequestStates: { table: 'refund_requests', column: 'status' },
  kycVerificationStates: { table: 'kyc_verifications', column: 'status' },
  participationStates: { table: 'participations', column: 'status' },
  payoutStates: { table: 'payouts', column: 'status' },
  withdrawalStates: { table: 'investment_withdrawals', column: 'status' },
  partnerStates: { table: 'partners', column: 'status' },
  commissionStates: { table: 'partner_commissions', column: 'status' },
  entranceStates: { table: 'partner_entrances', column: 'status' },
  topUpStates: { table: 'top_ups', column: 'status' },
  poolRunStates: { table: 'pool_runs', column: 'status' },
  paymentAttemptStates: { table: 'payment_attempts', column: 'status' },
};

interface StateTable {
  moves: Readonly<Record<string, readonly string[]>>;
}

const isStateTable = (value: unknown): value is StateTable =>
  typeof value === 'object' && value !== null && 'moves' in value;

const stateTables = readdirSync(workflows, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.states.ts'))
  .flatMap((path) => Object.entries(jest.requireActual<Record<string, unknown>>(join(workflows, path))))
  .flatMap(([name, value]) => (isStateTable(value) ? [{ name, moves: value.moves }] : []));

/** Every state reachable from `start`, itself included. */
function reachable(moves: StateTable['moves'], start: string): Set<string> {
  const found = new Set([start]);
  for (const state of found) for (const next of moves[state] ?? []) found.add(next);
  return found;
}

test('there are tables of states', () => {
  expect(stateTables.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(columnOf)));
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

  test('the database knows the same states', async () => {
    const column = columnOf[name];
    expect(column).toBeDefined();
    expect(await statesOf(own.db, column!.table, column!.column)).toEqual([...states].sort());
  });
});

const own = ownDatabase();
