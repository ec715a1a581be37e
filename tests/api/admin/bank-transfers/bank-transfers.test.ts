import type { Response } from 'supertest';
import { firstRow } from '../../../../db/sql/query';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import { invested, investmentState, PRINCIPAL_MINOR } from '../../../support/builders/investing/invested';
import { make } from '../../../support/builders/make';
import { entrance } from '../../../support/builders/partnering/entering';
import { shopper } from '../../../support/builders/shop';
import { topUp, TOP_UP_MINOR } from '../../../support/builders/wallets/top-ups';
import { atOnce } from '../../../support/requests/at-once';
import { ownCheckedWorld } from '../../../support/worlds/world';
import { staff } from '../../orders/returning';

let clerk: Awaited<ReturnType<typeof staff>>;
const world = ownCheckedWorld({ queues: ['interactive', 'ingest', ...PROVIDER_QUEUES] });
beforeAll(async () => {
  clerk = await staff(world);
});

const enter = async (body: object): Promise<Response> =>
  world.http.post('/api/v1/admin/bank-transfers').auth(clerk.token, { type: 'bearer' }).send(body);
const refusedBy = ({ status, body }: Response): [number, string] => [status, body.error.code];
const byTransfer = () => invested(world.db, { method: 'BANK_TRANSFER' });
const principal = PRINCIPAL_MINOR / 100;

test('it pays what the purpose names, of any kind, and says what it paid', async () => {
  const investment = await byTransfer();
  const amount = principal;
  const paid = await enter({
    purpose: investment.offer.bankDetails?.purpose,
    amount,
    transactionId: 'ANY-1',
  });
  expect([paid.status, paid.body.data]).toEqual([
    200,
    { subject: { kind: 'PARTICIPATION', id: investment.id }, status: 'ACTIVE', outcome: 'APPLIED' },
  ]);
  expect(await investmentState(world.db, investment.id)).toMatchObject({ participation: 'ACTIVE PAID' });

  const wallet = await topUp(world.db);
  const toppedUp = await enter({
    ...{ purpose: wallet.number, amount: TOP_UP_MINOR / 100, transactionId: 'ANY-2' },
  });
  expect(toppedUp.body.data).toEqual({
    ...{ subject: { kind: 'TOP_UP', id: wallet.id }, status: 'PAID', outcome: 'APPLIED' },
  });

  const fee = await entrance(world.db);
  const due = await firstRow<{ amountMinor: number; number: string }>(
    world.db,
    'SELECT amount_minor, number FROM partner_entrances WHERE id = $1',
    [fee.id],
  );
  const joined = await enter({
    ...{ purpose: due!.number, amount: due!.amountMinor / 100, transactionId: 'ANY-3' },
  });
  expect(joined.body.data).toEqual({
    ...{ subject: { kind: 'ENTRANCE', id: fee.id }, status: 'PAID', outcome: 'APPLIED' },
  });

  // Its process parks under the id of its capture, by which retention keeps the note of who entered it.
  expect(
    await firstRow(
      world.db,
      `SELECT count(*)::int AS notes FROM request_notes n JOIN payment_captures c ON c.id = n.entity_id WHERE c.top_up_id = $1`,
      [wallet.id],
    ),
  ).toEqual({ notes: 1 });

  const product = await make.product(world.db);
  const buyer = await shopper(world, [{ productId: product.id }]);
  const { orderId, orderNumber, payment } = await buyer.order({ paymentMethod: 'BANK_TRANSFER' });
  const bought = await enter({
    ...{ purpose: orderNumber, amount: payment.amount, transactionId: 'ANY-4' },
  });
  expect(bought.body.data).toEqual({
    ...{ subject: { kind: 'ORDER', id: orderId }, status: 'PAID', outcome: 'APPLIED' },
  });
});

test('a purpose counts however the payer and their bank wrote it', async () => {
  const { id, number } = await byTransfer();
  const purpose = ` ${number.toLowerCase().replace('-', ' – ')}\u200b `;
  const { body } = await enter({ purpose, amount: principal, transactionId: 'TYPED-1' });
  expect(body.data).toMatchObject({ subject: { id }, outcome: 'APPLIED' });
});

test('404 PAYMENT_NOT_FOUND: nothing was to be paid with that purpose; 400: no purpose at all', async () => {
  const transfer = { amount: principal, transactionId: 'NONE-1' };
  for (const purpose of ['INV-2026-99999999', 'rent', '%', '\u0000'])
    expect([purpose, (await enter({ ...transfer, purpose })).body.error.code]).toEqual([
      purpose,
      purpose === '\u0000' ? 'VALIDATION_ERROR' : 'PAYMENT_NOT_FOUND',
    ]);
  expect(refusedBy(await enter({ ...transfer, purpose: 'rent' }))).toEqual([404, 'PAYMENT_NOT_FOUND']);
  const empty = await enter({ ...transfer, purpose: ' ' });
  expect([refusedBy(empty), Object.keys(empty.body.error.details)]).toEqual([
    [400, 'VALIDATION_ERROR'],
    ['purpose'],
  ]);
});

test('another amount: 400 AMOUNT_MISMATCH, or with RETURN it is recorded and goes back', async () => {
  const { id, number } = await byTransfer();
  const less = { purpose: number, amount: principal - 1, transactionId: 'LESS-1' };
  expect(refusedBy(await enter(less))).toEqual([400, 'AMOUNT_MISMATCH']);
  const { body } = await enter({ ...less, onMismatch: 'RETURN' });
  expect(body.data).toEqual({
    ...{ subject: { kind: 'PARTICIPATION', id }, status: 'PENDING_PAYMENT', outcome: 'RETURNED' },
  });
});

test('403 FORBIDDEN: an administrator does not confirm a payment of their own', async () => {
  const { number } = await invested(world.db, { method: 'BANK_TRANSFER', userId: clerk.id });
  const own = await enter({ purpose: number, amount: principal, transactionId: 'OWN-1' });
  expect(refusedBy(own)).toEqual([403, 'FORBIDDEN']);
});

test('twenty at once with one reference for subjects of two kinds: one of them is paid, once', async () => {
  const [investment, wallet] = [await byTransfer(), await topUp(world.db)];
  const answers = await atOnce(20, (n) =>
    enter(
      n % 2 === 0
        ? { purpose: investment.number, amount: principal, transactionId: 'ONE-1' }
        : { purpose: wallet.number, amount: TOP_UP_MINOR / 100, transactionId: 'one-1' },
    ),
  );
  const paid = answers.filter(({ status }) => status === 200);
  expect(new Set(paid.map(({ body }) => body.data.subject.id as string)).size).toBe(1);
  expect(answers.filter(({ status }) => ![200, 400].includes(status))).toEqual([]);
  const recorded = await firstRow<{ count: number }>(
    world.db,
    `SELECT count(*)::int AS count FROM payment_captures WHERE upper(provider_payment_id) = 'ONE-1'`,
  );
  expect(recorded!.count).toBe(1);
});
