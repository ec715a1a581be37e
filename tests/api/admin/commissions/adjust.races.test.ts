import { bookCommission } from '../../../../db/partners/commission/commission-ledger.transitions';
import { postTransfer } from '../../../../db/ledger/ledger.transitions';
import { execute, firstRow, type Tx } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { v7 } from 'uuid';
import { make } from '../../../support/builders/make';
import type { MadeCommission } from '../../../support/builders/make/partners/commissions';
import { insert } from '../../../support/builders/make/insert';
import { signIn } from '../../../support/builders/sign-in';
import { violations } from '../../../support/checks/violations';
import { waiting } from '../../../support/checks/held-locks';
import { outcomeOf, startAdminWorld, type AdminWorld } from '../admin-world';

let admin: AdminWorld;
beforeAll(async () => {
  admin = await startAdminWorld({ worker: false });
});
afterAll(async () => {
  expect(await violations(admin.world.db)).toEqual([]);
  await admin.world.teardown();
});

const someone = async () => signIn(admin.world, await make.admin(admin.world.db));

const adjust = async (id: string, body: object, token: string) =>
  outcomeOf(await admin.ask('post', `/admin/commissions/${id}/adjust`, { reason: 'Race.', ...body }, token));

const balances = async ({ userId }: MadeCommission) =>
  firstRow<{ pending: number; available: number }>(
    admin.world.db,
    `SELECT coalesce(sum(balance_minor) FILTER (WHERE account = 'partner_pending'), 0)::bigint AS pending,
       coalesce(sum(balance_minor) FILTER (WHERE account = 'partner_available'), 0)::bigint AS available
     FROM ledger_balances WHERE user_id = $1`,
    [userId],
  );

/** Work that holds its locks until an adjustment waits for them. */
async function meanwhile(work: (tx: Tx) => Promise<void>, adjusting: () => Promise<string>): Promise<string> {
  let answer: Promise<string> | null = null;
  await inTransaction(admin.world.db, async (tx) => {
    await work(tx);
    answer = adjusting();
    await waiting(admin.world.db, 1);
  });
  return answer!;
}

test('two reversals at once: one succeeds, and the money goes back once', async () => {
  const made = await make.commission(admin.world.db, { status: 'APPROVED' });
  const tokens = await Promise.all([someone(), someone(), someone()]);
  const met = await Promise.all(tokens.map((token) => adjust(made.id, { action: 'REVERSE' }, token)));
  expect(met.sort()).toEqual(['200', '400 CANNOT_ADJUST', '400 CANNOT_ADJUST']);
  expect(await balances(made)).toEqual({ pending: 0, available: 0 });
});

test('many corrections at once follow one another, and the last amount is what is booked', async () => {
  const made = await make.commission(admin.world.db);
  const amounts = [1, 2, 3, 4, 5, 6];
  const tokens = await Promise.all(amounts.map(someone));
  const correct = (newAmount: number, i: number) =>
    adjust(made.id, { action: 'ADJUST_AMOUNT', newAmount }, tokens[i]!);
  expect(await Promise.all(amounts.map(correct))).toEqual(amounts.map(() => '200'));
  const row = await firstRow<{ netMinor: number; adjustments: number }>(
    admin.world.db,
    'SELECT net_minor, adjustments FROM partner_commissions WHERE id = $1',
    [made.id],
  );
  expect(row!.adjustments).toBe(amounts.length);
  expect(await balances(made)).toEqual({ pending: row!.netMinor, available: 0 });
});

test('a repetition with the same Idempotency-Key has the same answer and adjusts once', async () => {
  const made = await make.commission(admin.world.db);
  const token = await someone();
  const send = () =>
    admin.world.http
      .post(`/api/v1/admin/commissions/${made.id}/adjust`)
      .auth(token, { type: 'bearer' })
      .set('Idempotency-Key', `hold-${made.id}`)
      .send({ action: 'HOLD', reason: 'Once.' });
  const first = await send();
  const again = await send();
  expect([first.status, again.status, again.body.data]).toEqual([200, 200, first.body.data]);
  const row = await firstRow<{ adjustments: number }>(
    admin.world.db,
    'SELECT adjustments FROM partner_commissions WHERE id = $1',
    [made.id],
  );
  expect(row).toEqual({ adjustments: 1 });
});

/** As the daily job has it: guarded by the status, and booked in the same transaction. */
async function mature(tx: Tx, { id, userId, netMinor }: MadeCommission): Promise<void> {
  await execute(
    tx,
    `UPDATE partner_commissions SET status = 'APPROVED', processed_at = now() WHERE id = $1 AND status = 'PENDING'`,
    [id],
  );
  const line = { userId, currency: 'USD' };
  await postTransfer(tx, {
    reference: { kind: 'commission-maturation', subjectId: id },
    entries: [
      { account: 'partner_pending', ...line, amountMinor: -netMinor },
      { account: 'partner_available', ...line, amountMinor: netMinor },
    ],
    at: new Date(),
  });
}

test.each([
  ['APPROVE', '400 CANNOT_ADJUST', { pending: 0, available: 1_000 }],
  ['HOLD', '200', { pending: 1_000, available: 0 }],
  ['REVERSE', '200', { pending: 0, available: 0 }],
])('%s while it matures takes the money from where it lies then', async (action, expected, left) => {
  const made = await make.commission(admin.world.db);
  const token = await someone();
  const met = await meanwhile(
    (tx) => mature(tx, made),
    () => adjust(made.id, { action }, token),
  );
  expect([met, await balances(made)]).toEqual([expected, left]);
});

/** As a refund has it: the original is locked, and a negative commission is added. */
async function takeBack(tx: Tx, made: MadeCommission, minor: number): Promise<void> {
  const id = v7();
  await execute(tx, 'SELECT 1 FROM partner_commissions WHERE id = $1 FOR UPDATE', [made.id]);
  await insert(tx, 'partner_commissions', {
    ...{ id, partner_id: made.partnerId, type: 1, source_type: 'ORDER', source_id: made.sourceId, level: 1 },
    ...{ programme_version: 1, rank_level: 1, base_minor: -minor * 10, commission_weight: 0, rate_bp: 5_000 },
    ...{ gross_minor: -minor, net_minor: -minor, currency: 'USD', status: 'PENDING' },
    ...{ matures_at: new Date(), created_at: new Date(), reversal_of: made.id },
  });
  const booked = { id, userId: made.userId, netMinor: -minor, currency: 'USD' };
  await execute(tx, 'UPDATE partner_standings SET earned_minor = earned_minor - $2 WHERE partner_id = $1', [
    made.partnerId,
    minor,
  ]);
  await bookCommission(tx, booked, { status: 'PENDING', at: new Date() });
}

test('a reversal that waits for a refund takes back what the refund has left', async () => {
  const made = await make.commission(admin.world.db);
  const token = await someone();
  const met = await meanwhile(
    (tx) => takeBack(tx, made, 300),
    () => adjust(made.id, { action: 'REVERSE' }, token),
  );
  expect([met, await balances(made)]).toEqual(['200', { pending: 0, available: 0 }]);
});

test('an amount below what a refund takes back meanwhile is refused', async () => {
  const made = await make.commission(admin.world.db);
  const token = await someone();
  const met = await meanwhile(
    (tx) => takeBack(tx, made, 300),
    () => adjust(made.id, { action: 'ADJUST_AMOUNT', newAmount: 2 }, token),
  );
  expect([met, await balances(made)]).toEqual(['400 VALIDATION_ERROR', { pending: 700, available: 0 }]);
});
