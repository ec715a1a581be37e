import { QueryTypes } from 'sequelize';
import { v7 } from 'uuid';
import { commissionFigures } from '../../../db/partners/event/commission-figures.reads';
import { execute } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { make } from '../../support/builders/make';
import { pendingCommission } from '../../support/builders/make/partners/partner-sales';
import { vacuum } from '../../support/cost/vacuum';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();
const HOUR_MS = 3_600_000;
const since = (hours: number): Date => new Date(Date.now() - hours * HOUR_MS);

const figures = () => inTransaction(own.db, commissionFigures);
const happened = (ago: string) =>
  execute(
    own.owner,
    `INSERT INTO domain_events (id, type, reference, entity_id, data, occurred_at)
     SELECT id, 'order.paid', 'order.paid:' || id, id, '{}', now() - interval '${ago}'
       FROM (SELECT gen_random_uuid() AS id) made`,
  );
afterEach(() => execute(own.owner, 'DELETE FROM domain_events WHERE type = $1', ['order.paid']));

const takenSince = (ago: string) =>
  execute(own.owner, `UPDATE domain_events SET taken_at = now() - interval '${ago}' WHERE taken_at IS NULL`);
const nothingTakenMinutes = async () => Math.round((await figures()).nothingTakenSeconds / 60);

test('while the engine takes a backlog, its age is a figure, and so is that something was taken just now', async () => {
  await happened('399 days');
  await takenSince('2 minutes');
  for (const ago of ['400 days', '25 hours', '10 minutes']) await happened(ago);
  const found = await figures();
  expect(found).toMatchObject({ waiting: 3, parked: 0 });
  expect(found.oldestWaitingSeconds).toBeGreaterThan(399 * 86_400);
  expect(Math.round(found.nothingTakenSeconds / 60)).toBe(2);
});

test('an engine that has stopped is seen, before the first event as well', async () => {
  await happened('10 minutes');
  expect(await nothingTakenMinutes()).toBe(10);
  await takenSince('7 minutes');
  await happened('400 days');
  expect(await nothingTakenMinutes()).toBe(7);
});

test('after a quiet night, and between two tries, the time counts from when an event is due', async () => {
  await happened('9 hours');
  await takenSince('9 hours');
  expect(await nothingTakenMinutes()).toBe(0);
  await happened('3 minutes');
  expect(await nothingTakenMinutes()).toBe(3);
  const tryAgain = (at: string) =>
    execute(own.owner, `UPDATE domain_events SET next_attempt_at = ${at} WHERE taken_at IS NULL`);
  await tryAgain(`now() + interval '1 minute'`);
  expect(await figures()).toMatchObject({ nothingTakenSeconds: 0, waiting: 1 });
  await tryAgain(`now() - interval '1 minute'`);
  expect(await nothingTakenMinutes()).toBe(1);
});

test('what is taken, parked or given up does not wait', async () => {
  for (const column of ['taken_at', 'parked_at', 'given_up_at']) {
    await happened('10 minutes');
    await execute(
      own.owner,
      `UPDATE domain_events SET ${column} = now()
        WHERE num_nonnulls(taken_at, parked_at, given_up_at) = 0`,
    );
  }
  expect(await figures()).toMatchObject({ oldestWaitingSeconds: 0, nothingTakenSeconds: 0, waiting: 0 });
});

const held = async () =>
  Object.fromEntries((await figures()).held.map(({ hold, commissions }) => [hold, commissions]));

test('commissions that have been due for more than a day and are PENDING are counted by what holds them', async () => {
  const partner = await make.partner(own.db);
  const suspended = await make.partner(own.db, { status: 'SUSPENDED' });
  const refundedOrder = v7();
  for (const hours of [23, 25, 26, -1]) await pendingCommission(own.db, { partner, maturesAt: since(hours) });
  await pendingCommission(own.db, { partner, maturesAt: since(50), status: 'HELD' });
  await pendingCommission(own.db, { partner, maturesAt: since(27), sourceId: refundedOrder });
  for (const hours of [23, 30, 31, 32])
    await pendingCommission(own.db, { partner: suspended, maturesAt: since(hours) });
  await execute(
    own.owner,
    `INSERT INTO domain_events (id, type, reference, entity_id, data, occurred_at)
     VALUES ($1, 'refund.completed', 'refund.completed:' || $1::uuid, $2, '{}', now())`,
    [v7(), refundedOrder],
  );
  const none = { CHARGEBACK: 0, EARLY_WITHDRAWAL: 0, POINTS_LOST: 0 };
  expect(await held()).toEqual({ ...none, REFUND: 1, none: 5 });
});

describe('among many rows', () => {
  /** The plan of the statement of the figures that has this text. */
  async function planOf(part: string): Promise<string> {
    const sent = jest.spyOn(own.db.sequelize, 'query');
    await figures();
    const [text, options] = sent.mock.calls.find(([statement]) => (statement as string).includes(part))!;
    sent.mockRestore();
    const plan = await own.db.sequelize.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text as string}`, {
      ...{ type: QueryTypes.SELECT, bind: (options as { bind?: unknown[] }).bind ?? [] },
    });
    return plan.map((line) => line['QUERY PLAN']).join('\n');
  }

  test('the event that was taken last is found by the index of taken ones', async () => {
    await own.owner.sequelize.query(
      `INSERT INTO domain_events (id, type, reference, entity_id, data, occurred_at, taken_at)
       SELECT gen_random_uuid(), 'order.paid', 'order.paid:' || n, gen_random_uuid(), '{}', now(), now()
         FROM generate_series(1, 5000) AS n`,
    );
    await vacuum(own.owner, 'domain_events');
    expect(await planOf('AS parked')).toMatch(/Index Only Scan Backward using domain_events_taken_idx/);
  });

  test('due commissions are read by the index of those that are PENDING, and 10,000 at most', async () => {
    const partner = await make.partner(own.db);
    const id = await pendingCommission(own.db, { partner, maturesAt: since(51) });
    await own.owner.sequelize.query(
      `INSERT INTO partner_commissions (id, partner_id, type, source_type, source_id, level, programme_version, rank_level,
         base_minor, commission_weight, rate_bp, gross_minor, net_minor, currency, status, matures_at, created_at)
       SELECT gen_random_uuid(), partner_id, type, source_type, gen_random_uuid(), level, programme_version, rank_level,
         base_minor, commission_weight, rate_bp, gross_minor, net_minor, currency, CASE n % 2 WHEN 0 THEN 'PENDING' ELSE 'APPROVED' END,
         matures_at - n * interval '1 minute', created_at
         FROM partner_commissions, generate_series(1, 30000) AS n WHERE id = '${id}'`,
    );
    await vacuum(own.owner, 'partner_commissions');
    const counts = await held();
    expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(10_000);
    expect(await planOf('AS commissions')).toMatch(/Index Scan Backward using partner_commissions_due_idx/);
  });
});
