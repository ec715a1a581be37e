import { v7 } from 'uuid';
import { holdBalance, releaseBalance } from '../../../../db/commerce/order/order-ledger.transitions';
import { firstRow } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { make } from '../../../support/builders/make';
import { signIn } from '../../../support/builders/sign-in';
import { ownCheckedWorld } from '../../../support/worlds/world';
import { outcomeOf } from '../../admin/admin-world';
import { readFile } from '../../admin/products/file/files';
import { partnerPerson } from '../partner-person';

const world = ownCheckedWorld({ worker: false });

const adjust = async (id: string, body: object) =>
  world.http
    .post(`/api/v1/admin/commissions/${id}/adjust`)
    .auth(await signIn(world, await make.admin(world.db)), { type: 'bearer' })
    .send({ reason: 'Looked into.', ...body });

test('a statement adds up with the ledger: commissions, refunds, adjustments, orders and payouts', async () => {
  const me = await partnerPerson(world);
  const of = { partnerId: me.partnerId };
  const now = new Date();
  const monthAgo = (months: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 15));
  await make.commission(world.db, { ...of, grossMinor: 400, status: 'APPROVED', at: monthAgo(2) });
  const sold = await make.commission(world.db, { ...of, grossMinor: 1_000 });
  await make.commission(world.db, { ...of, sourceId: sold.sourceId, reversalOf: sold.id, grossMinor: -250 });
  await make.commission(world.db, { ...of, grossMinor: 70, status: 'PAID' });
  expect((await adjust(sold.id, { action: 'ADJUST_AMOUNT', newAmount: 9 })).status).toBe(200);
  expect((await adjust(sold.id, { action: 'APPROVE' })).status).toBe(200);
  const order = {
    ...{ id: v7(), userId: me.userId, currency: 'USD', subtotalMinor: 0, discountMinor: 0, shippingMinor: 0 },
    ...{ taxMinor: 0, totalMinor: 0 },
  };
  const at = new Date().toISOString();
  await inTransaction(world.db, (tx) => holdBalance(tx, order, 'partner_available', 300, at));
  await inTransaction(world.db, (tx) => releaseBalance(tx, order, 'partner_available', 300, at));

  const period = now.toISOString().slice(0, 7);
  const { status, body } = await me.get(`/statements/${period}`);
  expect(status).toBe(200);
  const { lines, ...sums } = body.data;
  expect(sums).toEqual({
    ...{ period, currency: 'USD', opening: 4, earned: 10.7, reversed: 3.5, spent: 3 },
    ...{ returned: 3, paid: 0.7, forfeited: 0, other: 0, closing: 10.5, linesCount: 7 },
  });
  expect(lines.map(({ kind, amount }: { kind: string; amount: number }) => `${kind} ${amount}`)).toEqual(
    expect.arrayContaining([
      'EARNED 10',
      'REVERSED -2.5',
      'ADJUSTED -1',
      'SPENT -3',
      'RETURNED 3',
      'PAID -0.7',
    ]),
  );
  const ledger = await firstRow<{ minor: number }>(
    world.db,
    `SELECT sum(balance_minor)::bigint AS minor FROM ledger_balances WHERE user_id = $1 AND account LIKE 'partner%'`,
    [me.userId],
  );
  expect(ledger).toEqual({ minor: 1_050 });

  const file = await me.get(`/statements/${period}/export`);
  expect(file.headers['content-type']).toBe('text/csv; charset=utf-8');
  const cells = readFile(file.text);
  expect(cells).toHaveLength(9);
  expect(cells[0]).toMatchObject({ kind: 'OPENING', balance: '4' });
  expect(cells.at(-1)).toMatchObject({ kind: 'CLOSING', balance: '10.5' });
  expect(cells[1]).toMatchObject({
    kind: 'EARNED',
    amount: '10',
    commissionId: sold.id,
    commissionType: '1',
  });

  const history = await me.get('/commissions/history?periods=3');
  expect(history.body.data).toEqual({
    currency: 'USD',
    history: [
      { period, earned: 10.7, reversed: 3.5, paid: 0.7 },
      { period: monthAgo(1).toISOString().slice(0, 7), earned: 0, reversed: 0, paid: 0 },
      { period: monthAgo(2).toISOString().slice(0, 7), earned: 4, reversed: 0, paid: 0 },
    ],
  });
  const byDay = (await me.get('/commissions/history?granularity=day&periods=100')).body.data.history;
  expect(byDay).toHaveLength(100);
  expect(byDay).toContainEqual({ period: at.slice(0, 10), earned: 10.7, reversed: 3.5, paid: 0.7 });
  expect(byDay).toContainEqual({
    ...{ period: monthAgo(2).toISOString().slice(0, 10), earned: 4 },
    ...{ reversed: 0, paid: 0 },
  });
  for (const [query, field] of [
    ['granularity=year', 'granularity'],
    ['periods=0', 'periods'],
    ['periods=101', 'periods'],
  ]) {
    const refused = await me.get(`/commissions/history?${query}`);
    expect([outcomeOf(refused), Object.keys(refused.body.error.details as object)]).toEqual([
      '400 VALIDATION_ERROR',
      [field],
    ]);
  }
});

test.each(['2026-13', '2026-1', '1999-12', 'now'])(
  'the statement of %s: VALIDATION_ERROR',
  async (period) => {
    const me = await partnerPerson(world);
    const answer = await me.get(`/statements/${period}`);
    expect([outcomeOf(answer), Object.keys(answer.body.error.details as object)]).toEqual([
      '400 VALIDATION_ERROR',
      ['month'],
    ]);
  },
);

test.each(['', '/export'])('a statement%s of who is no partner: NOT_A_PARTNER', async (end) => {
  const token = await signIn(world, await make.user(world.db));
  const path = `/api/v1/mlm/statements/2026-11${end}`;
  expect(outcomeOf(await world.http.get(path).auth(token, { type: 'bearer' }))).toBe('403 NOT_A_PARTNER');
});
