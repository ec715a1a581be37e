import { v7 } from 'uuid';
import { postTransfer } from '../../../../db/ledger/ledger.transitions';
import { execute, rows, type Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { given } from '../../../support/builders/given';
import { make } from '../../../support/builders/make';
import {
  pendingCommission,
  soldEvent,
  takeEvents,
} from '../../../support/builders/make/partners/partner-sales';
import { waiting } from '../../../support/checks/held-locks';
import { violations } from '../../../support/checks/violations';
import { countedGroupPoints } from '../../../../workflows/partners/rank/counted-points.rules';
import { createDatabase, type TestDatabase } from '../../../support/servers/database';
import { ago, commissionStatus, matureDue, now, type Matured } from './maturing';

let database: TestDatabase;
let db: Db;
beforeEach(async () => {
  database = await createDatabase();
  ({ db } = database);
});
afterEach(() => database.drop());

const mature = (batch = 2): Promise<Matured> => matureDue(db, { batch });
const statusOf = (id: string) => commissionStatus(db, id);

async function balancesOf(userId: string): Promise<Record<string, number>> {
  const found = await rows<{ account: string; balanceMinor: number }>(
    db,
    'SELECT account, balance_minor FROM ledger_balances WHERE user_id = $1',
    [userId],
  );
  return Object.fromEntries(found.map(({ account, balanceMinor }) => [account, balanceMinor]));
}

/** An order and a request for money back in a status. */
async function orderWithRefund(status: string): Promise<string> {
  const { id: userId } = await make.user(db);
  const orderId = await make.purchase(db, { userId, productId: (await make.product(db)).id });
  await execute(
    db,
    `INSERT INTO refund_requests (id, order_id, user_id, status, reason, currency, requested_minor, approved_minor,
       decision_id, decided_at, goods_back_minor, goods_tax_back_minor, shipping_back_minor, shipping_tax_back_minor,
       created_at)
     SELECT gen_random_uuid(), $1, $2, $3, '-', 'USD', 100, CASE WHEN open THEN NULL ELSE 100 END,
       CASE WHEN open THEN NULL ELSE gen_random_uuid() END, CASE WHEN open THEN NULL ELSE now() END, CASE WHEN open THEN NULL ELSE 100 END,
       CASE WHEN open THEN NULL ELSE 0 END, CASE WHEN open THEN NULL ELSE 0 END, CASE WHEN open THEN NULL ELSE 0 END, now()
       FROM (SELECT $3 = 'PENDING_REVIEW' AS open) s`,
    [orderId, userId, status],
  );
  return orderId;
}

test('what is due becomes available, what is not due or held stays, and again changes nothing', async () => {
  const partner = await make.partner(db);
  const due = await Promise.all(
    [1, 1, 3, 400, 0].map((days) => pendingCommission(db, { partner, maturesAt: ago(days) })),
  );
  const later = await pendingCommission(db, { partner, maturesAt: ago(-1) });
  const held = await pendingCommission(db, { partner, maturesAt: ago(5), status: 'HELD' });
  expect(await mature()).toEqual({ matured: 5, isDone: true });
  for (const id of due) expect(await statusOf(id)).toBe('APPROVED');
  expect([await statusOf(later), await statusOf(held)]).toEqual(['PENDING', 'HELD']);
  expect(await balancesOf(partner.userId)).toEqual({ partner_available: 50_00, partner_pending: 20_00 });
  const transfers = await rows(db, `SELECT 1 FROM ledger_transfers WHERE kind = 'commission-maturation'`);
  expect(transfers).toHaveLength(5);
  expect(await rows(db, 'SELECT 1 FROM partner_commissions WHERE processed_at = $1', [now])).toHaveLength(5);
  expect(await mature()).toEqual({ matured: 0, isDone: true });
  expect(await balancesOf(partner.userId)).toEqual({ partner_available: 50_00, partner_pending: 20_00 });
});

test('many of one microsecond are matured to the end, in turns that end by time', async () => {
  const partner = await make.partner(db);
  for (let n = 0; n < 7; n++) await pendingCommission(db, { partner, maturesAt: ago(1) });
  const turn = () => matureDue(db, { batch: 3, turnMs: 0, due: 'one run' });
  expect([await turn(), await turn(), await turn()]).toEqual([
    { matured: 3, isDone: false },
    { matured: 6, isDone: false },
    { matured: 7, isDone: true },
  ]);
});

test.each(['PENDING_REVIEW', 'PROCESSING'])(
  'an order with a refund that is %s keeps its commissions back',
  async (status) => {
    const partner = await make.partner(db);
    const orderId = await orderWithRefund(status);
    const [kept, other] = [
      await pendingCommission(db, { partner, maturesAt: ago(2), sourceId: orderId }),
      await pendingCommission(db, { partner, maturesAt: ago(1) }),
    ];
    expect(await mature(1)).toEqual({ matured: 1, isDone: true });
    expect([await statusOf(kept), await statusOf(other)]).toEqual(['PENDING', 'APPROVED']);
    await execute(db, 'DELETE FROM refund_requests WHERE order_id = $1', [orderId]);
    expect(await mature()).toMatchObject({ matured: 1 });
    expect(await statusOf(kept)).toBe('APPROVED');
  },
);

test('a refund that is announced and not counted keeps the commissions of its order back', async () => {
  const partner = await make.partner(db);
  const orderId = '0198a000-0000-7000-8000-000000000002';
  const kept = await pendingCommission(db, { partner, maturesAt: ago(2), sourceId: orderId });
  const event = await soldEvent(db, { at: ago(3), entityId: orderId });
  const ofEvent = '(SELECT position FROM domain_events WHERE id = $1)';
  const set = (state: string) =>
    execute(db, `UPDATE event_deliveries SET state = '${state}' WHERE position = ${ofEvent}`, [event]);
  await execute(db, `UPDATE domain_events SET type = 'refund.completed' WHERE id = $1`, [event]);
  expect(await mature()).toEqual({ matured: 0, isDone: true });
  await set('DEAD');
  expect(await mature()).toMatchObject({ matured: 1 });
  expect(await statusOf(kept)).toBe('APPROVED');
  const other = await pendingCommission(db, {
    ...{ partner: await make.partner(db), maturesAt: ago(1), sourceId: orderId },
  });
  await set('PARKED');
  expect(await mature()).toMatchObject({ matured: 0 });
  await execute(db, `DELETE FROM event_deliveries WHERE position = ${ofEvent}`, [event]);
  expect(await mature()).toMatchObject({ matured: 1 });
  expect(await statusOf(other)).toBe('APPROVED');
});

// A LEADER needs 150.00 points of the own customers and 10,000.00 in all, of which one leg counts for 5,000.00 at most.
test.each([
  { personal: 150_00, group: 10_000_00, leg: 5_000_00, isHeld: false },
  { personal: 149_99, group: 20_000_00, leg: 9_000_00, isHeld: true },
  { personal: 150_00, group: 9_999_99, leg: 4_000_00, isHeld: true },
  { personal: 150_00, group: 10_000_00, leg: 5_000_01, isHeld: true },
  { personal: 5_000_01, group: 10_000_00, leg: 4_999_99, isHeld: true },
  { personal: 6_000_00, group: 11_000_00, leg: 5_000_00, isHeld: false },
])('the bonus of a rank is held back while the points are lost: %p', async (points) => {
  const partner = await make.partner(db);
  const below = await make.partner(db, { sponsorId: partner.id });
  const { id } = await make.commission(db, {
    ...{ partnerId: partner.id, type: 8, level: 3, rankLevel: 3, at: ago(31) },
    ...{ baseMinor: 250_00, sourceId: partner.id },
  });
  const set = (of: string, personal: number, group: number) =>
    execute(
      db,
      'UPDATE partner_standings SET personal_points = $2, group_points = $3 WHERE partner_id = $1',
      [of, personal, group],
    );
  await set(partner.id, points.personal, points.group);
  await set(below.id, 0, points.leg);
  const counted = countedGroupPoints(
    { groupPoints: points.group, personalPoints: points.personal, largestLegPoints: points.leg },
    10_000_00,
  );
  expect(points.personal < 150_00 || counted < 10_000_00).toBe(points.isHeld);
  expect(await mature()).toEqual({ matured: points.isHeld ? 0 : 1, isDone: true });
  await set(partner.id, 150_00, 20_000_00);
  await set(below.id, 0, 5_000_00);
  await mature();
  expect(await statusOf(id)).toBe('APPROVED');
});

test('an order that was cancelled keeps its commissions back while its money is on its way', async () => {
  const partner = await make.partner(db);
  const { orderId, refundId } = await given(db).order().paid().cancelled();
  await takeEvents(db);
  await pendingCommission(db, { partner, maturesAt: ago(2), sourceId: orderId });
  expect(await mature()).toEqual({ matured: 0, isDone: true });
  await execute(db, `UPDATE payment_refunds SET status = 'ABANDONED' WHERE id = $1`, [refundId]);
  expect(await mature()).toMatchObject({ matured: 1 });
});

test('what takes back a part matures also where the available balance is below zero', async () => {
  const partner = await make.partner(db);
  const { userId } = partner;
  await inTransaction(db, (tx) =>
    postTransfer(tx, {
      ...{ reference: { kind: 'payout', subjectId: v7(), part: 'completed' }, clawback: true, at: now },
      entries: [
        { account: 'partner_available', userId, currency: 'USD', amountMinor: -50_00 },
        { account: 'payments', currency: 'USD', amountMinor: 50_00 },
      ],
    }),
  );
  const original = await pendingCommission(db, { partner, maturesAt: ago(2), netMinor: 10_00 });
  await pendingCommission(db, { partner, maturesAt: ago(2), netMinor: -4_00, reversalOf: original });
  expect(await mature()).toMatchObject({ matured: 2 });
  expect(await balancesOf(userId)).toEqual({ partner_available: -44_00, partner_pending: 0 });
});

test.each(['SUSPENDED', 'TERMINATED'] as const)(
  'what a partner earned who is %s matures as well',
  async (status) => {
    const partner = await make.partner(db, { status });
    const original = await pendingCommission(db, { partner, maturesAt: ago(2), netMinor: 10_00 });
    const part = await pendingCommission(db, {
      ...{ partner, maturesAt: ago(2), netMinor: -4_00, reversalOf: original },
    });
    expect(await mature()).toMatchObject({ matured: 2 });
    expect(await Promise.all([original, part].map(statusOf))).toEqual(['APPROVED', 'APPROVED']);
    expect(await balancesOf(partner.userId)).toEqual({ partner_available: 6_00, partner_pending: 0 });
  },
);

test('what takes back a part matures with its commission, also when it is due later', async () => {
  const partner = await make.partner(db);
  const of = { partner, sourceId: '0198a000-0000-7000-8000-000000000001' };
  const original = await pendingCommission(db, { ...of, maturesAt: ago(2), netMinor: 10_00 });
  const part = await pendingCommission(db, {
    ...of,
    maturesAt: ago(-9),
    netMinor: -4_00,
    reversalOf: original,
  });
  expect(await mature(1)).toEqual({ matured: 2, isDone: true });
  expect([await statusOf(original), await statusOf(part)]).toEqual(['APPROVED', 'APPROVED']);
  expect(await balancesOf(partner.userId)).toEqual({ partner_available: 6_00, partner_pending: 0 });
});

test('what takes back a part waits for its commission, also when it is due before', async () => {
  const partner = await make.partner(db);
  const original = await pendingCommission(db, { partner, maturesAt: ago(-1), netMinor: 10_00 });
  const of = { partner, maturesAt: ago(2), netMinor: -4_00, reversalOf: original };
  const part = await pendingCommission(db, of);
  expect(await mature()).toEqual({ matured: 0, isDone: true });
  expect(await statusOf(part)).toBe('PENDING');
});

test('what a refund takes back while the batch waits for the commission matures with it', async () => {
  const partner = await make.partner(db);
  const original = await pendingCommission(db, { partner, maturesAt: ago(2), netMinor: 10_00 });
  let batch: Promise<Matured> | undefined;
  await inTransaction(db, async (tx) => {
    await execute(tx, 'SELECT FROM partner_commissions WHERE id = $1 FOR UPDATE', [original]);
    await pendingCommission(tx, { partner, maturesAt: ago(2), netMinor: -4_00, reversalOf: original });
    batch = mature();
    await waiting(db, 1);
  });
  expect(await batch).toEqual({ matured: 2, isDone: true });
  expect(await balancesOf(partner.userId)).toEqual({ partner_available: 6_00, partner_pending: 0 });
});

test('two runs at once approve each commission once', async () => {
  const partners = await Promise.all(Array.from({ length: 5 }, () => make.partner(db)));
  for (let n = 0; n < 60; n++)
    await pendingCommission(db, { partner: partners[n % 5]!, maturesAt: ago(1 + (n % 7)) });
  const runs = await Promise.all([mature(7), mature(5), mature(11)]);
  expect(runs.reduce((sum, { matured }) => sum + matured, 0)).toBe(60);
  for (const { userId } of partners)
    expect(await balancesOf(userId)).toMatchObject({ partner_available: 120_00 });
});

test('a half that fails is matured when the batch is repeated, and the other half is not matured again', async () => {
  const partners = await Promise.all(Array.from({ length: 30 }, () => make.partner(db)));
  const ids = new Map<string, string>();
  for (const partner of partners)
    ids.set(partner.id, await pendingCommission(db, { partner, maturesAt: ago(1) }));
  const first = partners[0]!;
  await execute(
    database.owner,
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''refused''; END'`,
  );
  await execute(
    database.owner,
    `CREATE TRIGGER refuse BEFORE UPDATE ON partner_commissions FOR EACH ROW
       WHEN (new.id = '${ids.get(first.id)!}') EXECUTE FUNCTION refuse()`,
  );
  await expect(mature(100)).rejects.toThrow('refused');
  const halves = await rows<{ id: string; half: number; status: string }>(
    db,
    'SELECT partner_id AS id, hashtext(partner_id::text) & 1 AS half, status FROM partner_commissions',
  );
  const failed = halves.find(({ id }) => id === first.id)!.half;
  const left = halves.filter(({ half }) => half === failed).length;
  expect(halves.filter(({ status }) => status === 'PENDING')).toHaveLength(left);
  expect(left).toBeLessThan(partners.length);
  await execute(database.owner, 'DROP TRIGGER refuse ON partner_commissions');
  expect(await mature(100)).toEqual({ matured: left, isDone: true });
  for (const { userId } of partners)
    expect(await balancesOf(userId)).toEqual({ partner_available: 10_00, partner_pending: 0 });
});

test('one that was reversed while its batch waited for it stays reversed', async () => {
  const partner = await make.partner(db);
  const id = await pendingCommission(db, { partner, maturesAt: ago(1) });
  let batch: Promise<Matured> | undefined;
  await inTransaction(db, async (tx) => {
    await execute(tx, `UPDATE partner_commissions SET status = 'REVERSED' WHERE id = $1`, [id]);
    batch = mature();
    await waiting(db, 1);
  });
  expect(await batch).toEqual({ matured: 0, isDone: true });
  expect(await statusOf(id)).toBe('REVERSED');
});

test('goes on behind the last batch that was committed, and ends when it is cancelled', async () => {
  const partner = await make.partner(db);
  for (const days of [4, 2]) await pendingCommission(db, { partner, maturesAt: ago(days) });
  const turn = () => matureDue(db, { batch: 1, turnMs: 0, due: 'one run' });
  expect(await turn()).toEqual({ matured: 1, isDone: false });
  const before = await pendingCommission(db, { partner, maturesAt: ago(5) });
  while (!(await turn()).isDone);
  expect(await statusOf(before)).toBe('PENDING');
  expect(await turn()).toEqual({ matured: 2, isDone: true });
  await expect(matureDue(db, { signal: AbortSignal.abort() })).rejects.toThrow();
  expect(await statusOf(before)).toBe('PENDING');
  expect(await mature()).toEqual({ matured: 1, isDone: true });
  expect((await violations(db)).filter((line) => line.startsWith('ledger'))).toEqual([]);
});
