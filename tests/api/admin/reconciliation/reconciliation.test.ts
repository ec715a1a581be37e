import { randomUUID } from 'node:crypto';
import { rows } from '../../../../db/sql/query';
import { reconciliationProcess } from '../../../../workflows/commerce/reconciliation/reconciliation.contract';
import { make } from '../../../support/builders/make';
import { utcDayAgo } from '../../../support/builders/make/reconciliations';
import { collectedPayout } from '../../../support/builders/payouts/paid-by-file';
import { press } from '../../../support/builders/sandbox';
import { shopper } from '../../../support/builders/shop';
import { signIn } from '../../../support/builders/sign-in';
import { eventually } from '../../../support/checks/eventually';
import { outcomeOf, startAdminWorld, type AdminWorld } from '../admin-world';

let desk: AdminWorld;
beforeAll(async () => {
  desk = await startAdminWorld();
});
afterAll(() => desk.world.teardown());

const runs = async (query = '') => (await desk.ask('get', `/admin/reconciliation/runs${query}`)).body;
const list = async (query = '') => (await desk.ask('get', `/admin/reconciliation/differences${query}`)).body;
const start = (body: object, token?: string | null) =>
  desk.ask('post', '/admin/reconciliation/runs', body, token);
const resolve = (id: string, body: object = { note: 'Agreed by phone.' }, token?: string | null) =>
  desk.ask('post', `/admin/reconciliation/differences/${id}/resolve`, body, token);
const recordsOf = (id: string) =>
  rows(
    desk.world.db,
    `SELECT actor_id, action, previous, next FROM audit_records WHERE entity_id = $1 ORDER BY sequence`,
    [id],
  );

/** Waits until the comparison of a day has ended. */
const compared = (day: string): Promise<unknown> =>
  desk.world.temporal.workflow.getHandle(reconciliationProcess.id({ provider: 'sandbox', day })).result();

test('a payment of the sandbox is the same in both statements, and its fee is booked', async () => {
  const { world } = desk;
  const product = await make.product(world.db);
  const ada = await shopper(world, [{ productId: product.id, quantity: 1 }]);
  const { orderId, payment } = await ada.order({});
  await press(world, payment.paymentUrl!, 'pay');
  const day = utcDayAgo(3);
  await eventually(async () => {
    expect(
      await rows(world.db, 'SELECT 1 FROM payment_captures WHERE order_id = $1', [orderId]),
    ).toHaveLength(1);
  });
  // As if all of it had happened some days ago; entries of the ledger are changed by its owner only.
  for (const statement of [
    'UPDATE sandbox_payments SET created_at = $1',
    'UPDATE payment_captures SET captured_at = $1',
    `UPDATE ledger_entries SET created_at = $1 WHERE account = 'clearing_sandbox'`,
  ])
    await agedBy(statement, `${day}T12:00:00Z`);
  expect((await start({ provider: 'sandbox', day })).body.data).toEqual({
    workflowId: `reconciliation:sandbox:${day}`,
    outcome: 'STARTED',
  });
  expect(await compared(day)).toEqual({ status: 'DONE', differences: 0 });
  const { data } = await runs('?provider=sandbox');
  expect(data).toEqual({
    runs: [
      {
        ...{ id: expect.any(String), provider: 'sandbox', day, status: 'DONE', movements: 2, feesBooked: 1 },
        ...{ openDifferences: 0, startedAt: expect.any(String), comparedAt: expect.any(String) },
      },
    ],
    payoutsStopped: false,
  });
  const [fee] = await rows<{ minor: number; paid: number }>(
    world.db,
    `SELECT -e.amount_minor AS minor, c.amount_minor AS paid FROM ledger_entries e, payment_captures c
      WHERE e.account = 'provider_fees'`,
  );
  expect(fee!.minor).toBe(Math.floor((fee!.paid * 150) / 10_000));
  expect(await recordsOf(`sandbox:${day}`)).toEqual([
    {
      ...{ actorId: desk.admin.id, action: 'reconciliation.start', previous: null },
      next: { provider: 'sandbox', day },
    },
  ]);
});

async function agedBy(statement: string, at: string): Promise<void> {
  const { sequelize } = desk.world.owner;
  await sequelize.transaction(async (transaction) => {
    await sequelize.query('SET LOCAL session_replication_role = replica', { transaction });
    await sequelize.query(statement, { bind: [at], transaction });
  });
}

describe('differences', () => {
  test('are listed with both sides, and by provider, kind, status and days', async () => {
    const { db } = desk.world;
    const [first, second] = [
      await make.difference(db, { day: '2025-05-01' }),
      await make.difference(db, { day: '2025-05-03', provider: 'stripe' }),
    ];
    const { data, meta } = await list('?dateFrom=2025-05-01&dateTo=2025-05-01');
    expect(meta.pagination).toMatchObject({ total: 1 });
    expect(data.differences).toEqual([
      {
        ...{ id: first.id, runId: first.runId, provider: 'sandbox', day: '2025-05-01', kind: 'MISSING_HERE' },
        ...{ movementKind: 'TRANSFER_OUT', providerId: expect.any(String), ourId: null, ours: null },
        ...{ theirs: { amount: 250, currency: 'USD' }, status: 'OPEN', note: null, resolvedBy: null },
        ...{ foundAt: expect.any(String), lastSeenAt: expect.any(String), resolvedAt: null },
      },
    ]);
    const ids = async (query: string) =>
      (
        (await list(`?dateFrom=2025-05-01&dateTo=2025-05-31&${query}`)).data.differences as { id: string }[]
      ).map(({ id }) => id);
    expect(await ids('')).toEqual([second.id, first.id]);
    expect(await ids('provider=stripe')).toEqual([second.id]);
    expect(await ids('kind=MISSING_HERE&pageSize=1&page=2')).toEqual([first.id]);
    expect(await ids('kind=TWICE')).toEqual([]);
    expect(await ids('status=RESOLVED')).toEqual([]);
    await resolve(first.id);
    expect(await ids('status=RESOLVED')).toEqual([first.id]);
    expect(await ids('status=ALL')).toEqual([second.id, first.id]);
    expect(await ids('')).toEqual([second.id]);
  });

  test.each([
    'provider=bank',
    'kind=OTHER',
    'status=NONE',
    'dateFrom=2025-13-01',
    'dateFrom=0000-01-01',
    'dateFrom=2025-05-01T00:00:00Z',
    'dateTo=yesterday',
    'dateTo=3000-01-01',
    'pageSize=101',
  ])('400 VALIDATION_ERROR for %s', async (query) => {
    const answer = await desk.ask('get', `/admin/reconciliation/differences?${query}`);
    expect(outcomeOf(answer)).toBe('400 VALIDATION_ERROR');
    expect(Object.keys(answer.body.error.details as object)).toEqual([query.split('=')[0]]);
  });

  test('an explained one is audited, keeps its first explanation, and stops payouts no longer', async () => {
    const { id } = await make.difference(desk.world.db);
    expect((await runs()).data.payoutsStopped).toBe(true);
    const note = 'A transfer to our own account.';
    const answer = await resolve(id, { note });
    expect([answer.status, answer.body.data]).toEqual([
      200,
      expect.objectContaining({ id, status: 'RESOLVED', note, resolvedBy: desk.admin.id }),
    ]);
    const again = await resolve(id, { note: 'Another one.' }, desk.tokens.superAdmin);
    expect(again.body.data).toEqual(answer.body.data);
    expect(await recordsOf(id)).toEqual([
      {
        ...{
          actorId: desk.admin.id,
          action: 'reconciliation-difference.resolve',
          previous: { status: 'OPEN' },
        },
        next: {
          ...{ status: 'RESOLVED', provider: 'sandbox', kind: 'MISSING_HERE', movementKind: 'TRANSFER_OUT' },
          ...{ ourMinor: null, theirMinor: 250_00, note },
        },
      },
    ]);
    for (const open of (await list('?pageSize=100')).data.differences as { id: string }[])
      await resolve(open.id);
    expect((await runs()).data.payoutsStopped).toBe(false);
  });

  test('twenty explanations at once leave one', async () => {
    const { id } = await make.difference(desk.world.db);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => resolve(id, { note: `Reason ${n}.` })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => String(body.data.note))).size).toBe(1);
    expect(await recordsOf(id)).toHaveLength(1);
  });

  test.each([{}, { note: 'ab' }, { note: '  a  ' }, { note: 'x'.repeat(501) }, { note: 3 }])(
    '400 VALIDATION_ERROR for the explanation %j',
    async (body) => {
      const answer = await resolve(randomUUID(), body);
      expect([outcomeOf(answer), Object.keys(answer.body.error.details as object)]).toEqual([
        '400 VALIDATION_ERROR',
        ['note'],
      ]);
    },
  );

  test.each<[string, (id: string, payoutId: string) => Promise<unknown>]>([
    [
      'a payout of theirs that arrived twice',
      (id, payoutId) =>
        rows(
          desk.world.db,
          `UPDATE reconciliation_differences SET kind = 'TWICE', our_id = $2 WHERE id = $1`,
          [id, payoutId],
        ),
    ],
    [
      'one that only the provider says, under the key of a payout of theirs',
      (id, payoutId) =>
        rows(
          desk.world.db,
          `INSERT INTO provider_movements (provider, kind, provider_id, day, reference, amount_minor, currency,
             occurred_at, reading)
           SELECT provider, movement_kind, provider_id, day, $2 || ':2', their_minor, their_currency, day, 1
             FROM reconciliation_differences WHERE id = $1`,
          [id, payoutId],
        ),
    ],
  ])('403 FORBIDDEN for the administrator whom it is about: %s', async (_, about) => {
    const { db } = desk.world;
    const one = await make.admin(db, { kycLevel: 'STANDARD' });
    const payoutId = await collectedPayout(db, { userId: one.id });
    const { id } = await make.difference(db);
    await about(id, payoutId);
    const token = await signIn(desk.world, one);
    expect(outcomeOf(await resolve(id, { note: 'Explained.' }, token))).toBe('403 FORBIDDEN');
    expect(await recordsOf(id)).toEqual([]);
    expect(outcomeOf(await resolve(id))).toBe('200');
    expect(outcomeOf(await resolve(id, { note: 'Explained.' }, token))).toBe('200');
  });

  test('404 DIFFERENCE_NOT_FOUND for an unknown id, 400 for none', async () => {
    expect(outcomeOf(await resolve(randomUUID()))).toBe('404 DIFFERENCE_NOT_FOUND');
    expect(outcomeOf(await resolve('1'))).toBe('400 VALIDATION_ERROR');
  });
});

describe('a run', () => {
  test.each([
    [{ provider: 'sandbox', day: utcDayAgo(0) }, ['day']],
    [{ provider: 'sandbox', day: utcDayAgo(-1) }, ['day']],
    [{ provider: 'sandbox', day: utcDayAgo(40) }, ['day']],
    [{ provider: 'sandbox', day: '2026-02-30' }, ['day']],
    [{ provider: 'sandbox', day: '0000-01-01' }, ['day']],
    [{ provider: 'sandbox', day: '2026-02-03T00:00:00Z' }, ['day']],
    [{ provider: 'bank', day: utcDayAgo(3) }, ['provider']],
    [{}, ['day', 'provider']],
  ])('400 VALIDATION_ERROR for %j', async (body, fields) => {
    const answer = await start(body);
    expect(outcomeOf(answer)).toBe('400 VALIDATION_ERROR');
    expect(Object.keys(answer.body.error.details as object).sort()).toEqual(fields);
  });

  test('that is under way goes on; one that has ended begins again', async () => {
    const day = utcDayAgo(6);
    await desk.world.rest();
    const first = await start({ provider: 'sandbox', day });
    const second = await start({ provider: 'sandbox', day });
    expect([first, second].map(({ body }) => String(body.data.outcome))).toEqual(['STARTED', 'RUNNING']);
    await desk.world.work();
    await compared(day);
    expect((await start({ provider: 'sandbox', day })).body.data.outcome).toBe('STARTED');
    await compared(day);
    const found = await rows(desk.world.db, 'SELECT reading FROM provider_reconciliations WHERE day = $1', [
      day,
    ]);
    expect(found).toEqual([{ reading: 2 }]);
  });
});
