import { v7 } from 'uuid';
import { unsentEvents } from '../../../../db/administration/domain-event/unsent-event.reads';
import { parkedProcesses } from '../../../../db/administration/operations/parking.reads';
import type { ParkedFilter } from '../../../../db/administration/operations/waiting/parking-filter';
import {
  WAITING_KINDS,
  waitingWork,
} from '../../../../db/administration/operations/waiting/waiting-work.reads';
import { deadMessages } from '../../../../db/administration/outbox/dead-message.reads';
import { execute } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { plansOf } from '../../../support/checks/plans-of';
import { vacuum } from '../../../support/cost/vacuum';
import { ownDatabase } from '../../../support/servers/database';

const own = ownDatabase();
const ROWS = 30_000;
let buyer: string;

/** An outage has parked thousands; besides, what years leave behind: messages sent, events taken, reports applied. */
beforeAll(async () => {
  buyer = (await make.user(own.db)).id;
  const order = v7();
  await execute(
    own.db,
    `INSERT INTO parked_processes (workflow_id, type, entity_id, reason, last_error, since, run_id, order_id, user_id)
     SELECT 'x:' || n, CASE WHEN n % 1000 = 0 THEN 'payout' ELSE 'checkout' END, gen_random_uuid()::text, 'x', 'x',
       now() - n * interval '1 second', 'run', CASE WHEN n = 1 THEN $1::uuid ELSE gen_random_uuid() END,
       gen_random_uuid()
     FROM generate_series(1, ${ROWS}) AS n`,
    [order],
  );
  await execute(
    own.db,
    `INSERT INTO outbox_messages (id, kind, reference, recipient, sealed_payload, status, due_at, dead_at, content_gone, created_at)
     SELECT gen_random_uuid(), CASE WHEN n % 200 = 0 THEN 'SMS' ELSE 'MAIL' END, 'x' || n, 'x@example.com',
       CASE WHEN n % 300 = 0 THEN 'x'::bytea END, CASE WHEN n % 150 = 0 THEN 'DEAD' ELSE 'SENT' END, now(),
       CASE WHEN n % 150 = 0 THEN now() END, CASE WHEN n % 300 = 150 THEN 'EXPIRED' END, now() FROM generate_series(1, ${ROWS}) AS n`,
  );
  await execute(
    own.db,
    `WITH announced AS (
       INSERT INTO domain_events (id, type, reference, entity_id, data, occurred_at)
     SELECT gen_random_uuid(), CASE WHEN n % 3 = 0 THEN 'kyc.expired' ELSE 'investment.created' END, 'x' || n, gen_random_uuid(),
       '{}', now() FROM generate_series(1, ${ROWS}) AS n RETURNING position, entity_id, type, occurred_at, right(reference, -1)::int AS n)
     INSERT INTO event_deliveries (consumer, position, entity_id, type, occurred_at, state)
     SELECT 'commissions', position, entity_id, type, occurred_at, CASE n % 3 WHEN 1 THEN 'PARKED' ELSE 'DUE' END FROM announced
      WHERE n % 500 = 1 AND n % 3 <> 0`,
  );
  await execute(
    own.db,
    `INSERT INTO webhook_events (id, kind, provider, external_event_id, type, body, body_hash, status, received_at,
       started_at, processed_at)
     SELECT gen_random_uuid(), 'PAYMENT', 'sandbox', 'x' || n, 'payment.paid', '{}', '',
       CASE WHEN n % 500 = 0 THEN 'DEAD' WHEN n % 500 = 1 THEN 'WAITING' ELSE 'PROCESSED' END, now(), now(), now()
     FROM generate_series(1, ${ROWS}) AS n`,
  );
  await vacuum(
    own.owner,
    'parked_processes',
    'outbox_messages',
    'domain_events',
    'event_deliveries',
    'webhook_events',
  );
});

const NONE: ParkedFilter = {
  ...{ type: null, state: null, orderId: null },
  ...{ orderNumber: null, userId: null, entityId: null },
};
const READS_ALL =
  /Seq Scan on (parked_processes|outbox_messages|domain_events|webhook_events)|Rows Removed by Filter: \d{4}/;

test.each<[string, () => Partial<ParkedFilter>]>([
  ['a type', () => ({ type: 'payout' })],
  ['a type that nothing has', () => ({ type: 'pool' })],
  ['an entity', () => ({ entityId: v7() })],
  ['an order', () => ({ orderId: v7() })],
  ['the number of an order', () => ({ orderNumber: 'ORD-2026-00000001' })],
  ['a person', () => ({ userId: buyer })],
  ['a person and a type', () => ({ userId: buyer, type: 'payout' })],
])('the list of operations by %s: page and count read an index', async (_, filter) => {
  const page = { limit: 20, offset: 0 };
  const plans = await plansOf(own.db, () => parkedProcesses(own.db, { ...NONE, ...filter() }, page));
  expect(plans).toHaveLength(2);
  for (const plan of plans) expect(plan).not.toMatch(READS_ALL);
});

test('without a filter the page is read in the order of an index, and the count ends at its bound', async () => {
  const read = () => parkedProcesses(own.db, NONE, { limit: 20, offset: 0 });
  const [count, page] = await plansOf(own.db, read);
  expect(count).toMatch(/Limit .*rows=10000(\.00)? loops/);
  expect(page).toMatch(/parked_processes_waiting_idx/);
  expect((await read()).total).toBe(10_000);
  expect((await parkedProcesses(own.db, NONE, { limit: 20, offset: ROWS - 10 })).total).toBe(ROWS);
});

test.each([
  [null, null],
  ['MAIL', null],
  ['SMS', null],
  [null, true],
  ['MAIL', false],
] as const)('messages that were given up, of kind %s, resendable: %s', async (kind, resendable) => {
  const read = () => deadMessages(own.db, { kind, resendable }, { limit: 20, offset: 0 });
  for (const plan of await plansOf(own.db, read)) expect(plan).not.toMatch(READS_ALL);
  expect((await read()).messages.length).toBeGreaterThan(0);
});

test.each(['WAITING', 'PARKED'] as const)('events that are %s', async (state) => {
  const read = () => unsentEvents(own.db, state, { limit: 20, offset: 0 });
  for (const plan of await plansOf(own.db, read)) expect(plan).not.toMatch(READS_ALL);
  expect((await read()).events.length).toBeGreaterThan(0);
});

test('the summary is one statement that reads what waits only, and of each kind a thousand at most', async () => {
  const plans = await plansOf(own.db, () => waitingWork(own.db));
  expect(plans).toHaveLength(1);
  expect(plans[0]).not.toMatch(READS_ALL);
  const waiting = await waitingWork(own.db);
  expect(waiting.map(({ kind }) => kind)).toEqual(WAITING_KINDS);
  const counts = Object.fromEntries(waiting.map(({ kind, count }) => [kind, count]));
  expect(counts).toMatchObject({
    ...{ PARKED_PROCESSES: 1_000, DEAD_REPORTS: 60, WAITING_REPORTS: 60, DEAD_MESSAGES: 100 },
    ...{ WAITING_EVENTS: 20, PARKED_EVENTS: 20, OWED_REFUNDS: 0, COLLECTED_TRANSFERS: 0 },
  });
  for (const { count, since } of waiting) expect(since === null).toBe(count === 0);
});
