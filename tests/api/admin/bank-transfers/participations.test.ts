import type { Response } from 'supertest';
import { firstRow, rows } from '../../../../db/sql/query';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import { invested, investmentState, type Investment } from '../../../support/builders/investing/invested';
import { make } from '../../../support/builders/make';
import { shopper } from '../../../support/builders/shop';
import { signIn } from '../../../support/builders/sign-in';
import { eventually } from '../../../support/checks/eventually';
import { ownCheckedWorld } from '../../../support/worlds/world';
import { staff } from '../../orders/returning';

let clerk: Awaited<ReturnType<typeof staff>>;
const world = ownCheckedWorld({ queues: ['interactive', 'ingest', ...PROVIDER_QUEUES] });
beforeAll(async () => {
  clerk = await staff(world);
});

const post = async (path: string, body: object, token = clerk.token): Promise<Response> =>
  world.http.post(`/api/v1/admin/${path}`).auth(token, { type: 'bearer' }).send(body);
const confirm = (purpose: string, body: object, token = clerk.token): Promise<Response> =>
  post('bank-transfers', { purpose, ...body }, token);
/** The answer about a participation. */
const about = ({ id }: Pick<Investment, 'id'>, status: string, outcome: string) => ({
  ...{ subject: { kind: 'PARTICIPATION', id }, status, outcome },
});
const byTransfer = (): Promise<Investment> => invested(world.db, { method: 'BANK_TRANSFER' });
const refusedBy = ({ status, body }: Response): [number, string] => [status, body.error.code];

/** The refunds of a participation as administrators see them. */
const listed = async ({ number }: Investment): Promise<Record<string, unknown>[]> => {
  const path = `/api/v1/admin/payment-refunds?participation=${number}`;
  const { body } = await world.http.get(path).auth(clerk.token, { type: 'bearer' });
  return body.data.refunds as Record<string, unknown>[];
};

test('a transfer of the amount: the participation runs, money and deposit are booked, and the trail says by whom', async () => {
  const made = await byTransfer();
  const answer = await confirm(made.number, { amount: 1_000, transactionId: 'INV-BANK-1' });
  expect(answer.status).toBe(200);
  expect(answer.body.data).toEqual(about(made, 'ACTIVE', 'APPLIED'));
  expect(await investmentState(world.db, made.id)).toMatchObject({
    participation: 'ACTIVE PAID',
    attempts: ['BANK_TRANSFER PAID'],
    refunds: [],
    reservedMinor: made.amountMinor,
  });
  const booked = await rows(
    world.db,
    `SELECT e.account, e.amount_minor AS amount FROM ledger_entries e JOIN ledger_transfers t ON t.id = e.transfer_id
     WHERE t.kind = 'participation-payment' AND t.subject_id = $1 ORDER BY e.account, e.amount_minor`,
    [made.id],
  );
  expect(booked).toEqual([
    { account: 'clearing_bank', amount: -made.amountMinor },
    { account: 'clearing_bank', amount: made.amountMinor },
    { account: expect.stringMatching(/^clearing_provider_/) as string, amount: -made.amountMinor },
    { account: 'investments', amount: made.amountMinor },
  ]);
  const trail = await firstRow(
    world.db,
    `SELECT actor_id AS actor, action, next->>'transactionId' AS transaction FROM audit_records WHERE entity_id = $1`,
    [made.id],
  );
  expect(trail).toEqual({
    actor: clerk.id,
    action: 'participation.confirm-transfer',
    transaction: 'INV-BANK-1',
  });
});

test('it pays one that was to be paid by card, and is then its method', async () => {
  const made = await invested(world.db);
  const { body } = await confirm(made.number.toLowerCase(), { amount: 1_000, transactionId: 'INV-BANK-2' });
  expect(body.data).toEqual(about(made, 'ACTIVE', 'APPLIED'));
  expect(await investmentState(world.db, made.id)).toMatchObject({
    method: 'BANK_TRANSFER',
    attempts: ['CARD CANCELLED', 'BANK_TRANSFER PAID'],
  });
});

test('another amount: AMOUNT_MISMATCH, or with RETURN it goes back, is listed, shown and settled by a person', async () => {
  const ada = await make.user(world.db);
  const made = await invested(world.db, { method: 'BANK_TRANSFER', userId: ada.id });
  const less = { amount: 999.99, transactionId: 'INV-BANK-3' };
  expect(refusedBy(await confirm(made.number, less))).toEqual([400, 'AMOUNT_MISMATCH']);
  expect(await listed(made)).toEqual([]);
  const { body } = await confirm(made.number, { ...less, onMismatch: 'RETURN' });
  expect(body.data).toEqual(about(made, 'PENDING_PAYMENT', 'RETURNED'));
  const [refund, ...others] = await listed(made);
  expect(others).toEqual([]);
  const what = { order: null, participation: { id: made.id, number: made.number }, amount: 999.99 };
  expect(refund).toMatchObject({ ...what, reason: 'AMOUNT_MISMATCH', needsTransfer: true });
  const { id } = refund as { id: string };
  const shown = await world.http
    .get(`/api/v1/admin/payment-refunds/${id}`)
    .auth(clerk.token, { type: 'bearer' });
  expect(shown.body.data).toMatchObject(what);
  await eventually(async () => {
    const process = await world.temporal.workflow.getHandle(`payment-refund:${id}`).describe();
    expect(process.type).toBe('paymentRefund');
  });

  const settled = await post(`payment-refunds/${id}/settle`, { reference: 'INV-OUT-3', amount: 999.99 });
  expect([settled.status, settled.body.data.status]).toEqual([200, 'COMPLETED']);
  expect(await world.temporal.workflow.getHandle(`payment-refund:${id}`).result()).toBe('COMPLETED');
  expect(await investmentState(world.db, made.id)).toMatchObject({
    participation: 'PENDING_PAYMENT PENDING',
    refunds: ['AMOUNT_MISMATCH 99999 COMPLETED'],
  });
  const mail = await firstRow<{ reference: string }>(
    world.db,
    `SELECT reference FROM outbox_messages WHERE reference = $1`,
    [`payment-refund:${id}:sent:1`],
  );
  expect(mail).not.toBeNull();
  const exported = await world.http
    .get('/api/v1/users/me/export')
    .auth(await signIn(world, ada), { type: 'bearer' });
  expect(exported.body.data.participationRefunds).toEqual([
    {
      ...{ id, participationId: made.id, participationNumber: made.number, status: 'COMPLETED' },
      ...{ reason: 'AMOUNT_MISMATCH', amount: 999.99, currency: 'USD' },
      ...{ createdAt: expect.any(String), completedAt: expect.any(String) },
    },
  ]);
});

test('a second transfer goes back, and the participation stays as it is', async () => {
  const made = await byTransfer();
  await confirm(made.number, { amount: 1_000, transactionId: 'INV-BANK-4' });
  const { body } = await confirm(made.number, { amount: 1_000, transactionId: 'INV-BANK-5' });
  expect(body.data).toEqual(about(made, 'ACTIVE', 'RETURNED'));
  expect((await investmentState(world.db, made.id)).refunds).toEqual(['DUPLICATE_PAYMENT 100000 PROCESSING']);
});

test('one reference is of one payment: again the same answer; for another participation or an order VALIDATION_ERROR', async () => {
  const [first, other] = [await byTransfer(), await byTransfer()];
  const transfer = { amount: 1_000, transactionId: 'INV-BANK-6' };
  await confirm(first.number, transfer);
  expect((await confirm(first.number, transfer)).body.data.outcome).toBe('APPLIED');
  expect(refusedBy(await confirm(other.number, { ...transfer, transactionId: 'inv- bank-6' }))).toEqual([
    400,
    'VALIDATION_ERROR',
  ]);
  const product = await make.product(world.db);
  const ada = await shopper(world, [{ productId: product.id }]);
  const { orderId, payment } = await ada.order({ paymentMethod: 'BANK_TRANSFER' });
  const used = await post(`orders/${orderId}/payment`, { ...transfer, amount: payment.amount });
  expect(refusedBy(used)).toEqual([400, 'VALIDATION_ERROR']);
  expect(used.body.error.details.transactionId).toEqual(['is already recorded for another participation']);
});

test('two administrators at once with one reference for two participations: one is paid', async () => {
  const both = [await byTransfer(), await byTransfer()];
  const answers = await Promise.all(
    both.map(({ number }) => confirm(number, { amount: 1_000, transactionId: 'INV-BANK-7' })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
});

test('it is for administrators, with a body, on participations of others', async () => {
  const body = { amount: 1_000, transactionId: 'INV-BANK-8' };
  const made = await byTransfer();
  const owner = await signIn(world, await make.user(world.db));
  expect(refusedBy(await confirm(made.number, body, owner))).toEqual([403, 'FORBIDDEN']);
  expect(refusedBy(await confirm('INV-2026-99999999', body))).toEqual([404, 'PAYMENT_NOT_FOUND']);
  expect(refusedBy(await confirm(made.number, { ...body, amount: 0 }))).toEqual([400, 'VALIDATION_ERROR']);
  const own = await invested(world.db, { method: 'BANK_TRANSFER', userId: clerk.id });
  const refused = await confirm(own.number, body);
  expect(refusedBy(refused)).toEqual([403, 'FORBIDDEN']);
  expect(refused.body.error.message).toBe('You cannot confirm a payment of your own participation.');
});
