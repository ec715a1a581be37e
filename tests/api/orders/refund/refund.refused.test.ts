import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ApplicationFailure } from '@temporalio/common';
import { firstRow, rows } from '../../../../db/sql/query';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import { violations } from '../../../support/checks/violations';
import { startWorld, type World } from '../../../support/worlds/world';
import { outcomeOf } from '../../admin/admin-world';
import { happenedLongAgo, refundRequested, returning, type Returning } from '../returning';

/** The failure of the next request of a refund, after all retries: with all of its work committed, or none. */
let failing: 'done' | 'undone' | null = null;
/** Requests of a refund that have reached their process. */
let reached = 0;

let world: World;
beforeAll(async () => {
  world = await startWorld({
    queues: ['interactive', 'ingest', ...PROVIDER_QUEUES],
    fakes: (real) => ({
      async requestRefund(command) {
        reached++;
        const how = failing;
        failing = null;
        if (how !== 'undone') {
          const requested = await real.requestRefund(command);
          if (how === null) return requested;
        }
        throw ApplicationFailure.nonRetryable('The database was away for longer than all tries.');
      },
    }),
  });
});
beforeEach(() => {
  failing = null;
  reached = 0;
});
afterAll(async () => {
  expect(await violations(world.db)).toEqual([]);
  await world.teardown();
});

const notesOf = async ({ ada }: Returning): Promise<number> =>
  (await firstRow<{ n: number }>(
    world.db,
    'SELECT count(*)::int AS n FROM request_notes WHERE actor_id = $1',
    [ada.buyer.id],
  ))!.n;

const delivered = () => returning(world);
const unsent = () => returning(world, { to: null });
const expired = async () => {
  const one = await returning(world);
  await happenedLongAgo(world, one.orderId);
  return one;
};

test.each<[string, () => Promise<Returning>, object, number]>([
  ['400 CANNOT_REFUND', unsent, {}, 0],
  ['400 REFUND_PERIOD_EXPIRED', expired, {}, 0],
  ['400 VALIDATION_ERROR', delivered, { itemIds: [randomUUID()] }, 0],
  ['409 REFUND_ALREADY_REQUESTED', () => refundRequested(world), {}, 1],
])(
  '%s: a request that can only be refused leaves no note and starts no process',
  async (code, arrange, body, opened) => {
    const one = await arrange();
    for (const key of [undefined, randomUUID(), randomUUID()])
      expect(outcomeOf(await one.ask({ description: 'Too small.', ...body }, key))).toBe(code);
    expect(await notesOf(one)).toBe(opened);
    await pause(1_000); // The server's list is a moment late.
    const query = `WorkflowType = 'refundRequest' AND UserId = '${one.ada.buyer.id}'`;
    expect((await world.temporal.workflow.count(query)).count).toBe(opened);
  },
);

describe('a request whose answer was lost, sent again under its key when the order is no longer refundable', () => {
  async function lost(how: 'done' | 'undone') {
    const one = await returning(world);
    const key = randomUUID();
    failing = how;
    expect((await one.ask({}, key)).status).toBe(503);
    await happenedLongAgo(world, one.orderId);
    return { ...one, again: () => one.ask({}, key) };
  }

  test('gets the refund that it has opened', async () => {
    const { again, orderId } = await lost('done');
    const { status, body } = await again();
    const kept = await rows(world.db, 'SELECT id FROM refund_requests WHERE order_id = $1', [orderId]);
    expect([status, kept]).toEqual([201, [{ id: body.data.refundRequestId }]]);
    expect((await again()).body).toEqual(body);
  });

  test('reaches its process, which refuses it, when nothing was opened', async () => {
    const { again, ...one } = await lost('undone');
    expect(outcomeOf(await again())).toBe('400 REFUND_PERIOD_EXPIRED');
    expect(reached).toBe(2);
    expect(await notesOf(one)).toBe(1);
  });
});
