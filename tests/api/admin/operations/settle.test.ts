import { randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import { park } from '../../../../db/administration/operations/parking.writes';
import { execute, rows } from '../../../../db/sql/query';
import { checkoutProcess } from '../../../../workflows/commerce/checkout/checkout.contract';
import { payoutProcess, transferReported } from '../../../../workflows/commerce/payout/payout.contract';
import { walletWithdrawalProcess } from '../../../../workflows/commerce/payout/wallet-withdrawal.contract';
import { paymentRefundProcess } from '../../../../workflows/commerce/refund/payment-refund.contract';
import { withdrawalProcess } from '../../../../workflows/investment/withdrawal/withdrawal.contract';
import { IBAN, investor, moneyOf } from '../../../support/builders/investing/withdrawing';
import { fundsOf } from '../../../support/builders/paying-out/payees';
import { given } from '../../../support/builders/given';
import { make } from '../../../support/builders/make';
import { signIn } from '../../../support/builders/sign-in';
import { eventually } from '../../../support/checks/eventually';
import { violations } from '../../../support/checks/violations';
import { outcomeOf, startAdminWorld, type AdminWorld } from '../admin-world';
import { deskOf } from '../payouts/desk-world';

let staff: AdminWorld;
beforeAll(async () => {
  const variables = { PAYOUT_PROVIDER: 'bank', RATE_LIMIT_SCALE: '100', POLICY_PAYOUT_FOUR_EYES: '39' };
  staff = await startAdminWorld({ variables });
});
afterAll(async () => {
  expect(await violations(staff.world.db)).toEqual([]);
  await staff.world.teardown();
});

const settle = (workflowId: string, body: object = {}, token?: string | null) =>
  staff.ask(
    'post',
    `/admin/operations/${encodeURIComponent(workflowId)}/settle`,
    { outcome: 'DONE', reference: randomUUID(), ...body },
    token,
  );
const auditedAs = (entityId: string) =>
  rows(
    staff.world.db,
    `SELECT action FROM audit_records WHERE entity_id = $1 AND action ~ '(settle|complete)$'`,
    [entityId],
  );

describe.each([
  ['PARTNER', payoutProcess, 'payout.complete'],
  ['WALLET', walletWithdrawalProcess, 'wallet-withdrawal.complete'],
] as const)('a payout: %s', (kind, process, action) => {
  const desk = deskOf(() => staff, kind);
  async function toSend() {
    const asked = await desk.requested();
    await desk.approve(asked.id);
    await desk.process(asked.id, {}, staff.tokens.superAdmin);
    return { ...asked, workflowId: process.id({ payoutId: asked.id }) };
  }

  test('is completed as under its own path: audited so, its reference taken, and once', async () => {
    const { one, id, workflowId } = await toSend();
    const reference = `OUT ${randomUUID()}`;
    const answer = await settle(workflowId, { reference });
    expect([answer.status, answer.body.data]).toEqual([
      200,
      { workflowId, outcome: 'DONE', status: 'COMPLETED', settledBy: staff.admin.id },
    ]);
    expect(await fundsOf(staff.world.db, one.userId)).toMatchObject({ heldMinor: 0 });
    expect(await auditedAs(id)).toEqual([{ action }]);
    expect((await desk.get(`/${id}`)).body.data.externalReference).toBe(reference);
    expect(outcomeOf(await settle(workflowId))).toBe('409 ALREADY_SETTLED');

    const second = await toSend();
    const taken = await settle(second.workflowId, { reference: reference.toLowerCase() });
    expect(outcomeOf(taken)).toBe('400 VALIDATION_ERROR');
    expect(taken.body.error).toMatchObject({
      reason: 'TRANSFER_ALREADY_USED',
      details: { reference: ['is already recorded for another payment'] },
    });
  });

  test('refused by the bank, it is APPROVED again', async () => {
    const { id, workflowId } = await toSend();
    expect((await settle(workflowId, { outcome: 'REFUSED' })).body.data.status).toBe('APPROVED');
    expect((await desk.get(`/${id}`)).body.data.status).toBe('APPROVED');
  });

  test('under both paths at once: settled once', async () => {
    const { id, workflowId } = await toSend();
    const answers = await Promise.all([
      settle(workflowId),
      desk.complete(id),
      settle(workflowId, { outcome: 'REFUSED' }),
    ]);
    const { status } = (await desk.get(`/${id}`)).body.data as { status: string };
    const tooLate = status === 'COMPLETED' ? '409 ALREADY_SETTLED' : '400 NOT_PROCESSING';
    expect(answers.map(outcomeOf).sort()).toEqual(['200', tooLate, tooLate]);
    expect(await auditedAs(id)).toHaveLength(1);
  });

  test('the same request again under its key gets the same answer', async () => {
    const { workflowId, id } = await toSend();
    const [key, reference] = [randomUUID(), randomUUID()];
    const send = () =>
      staff.world.http
        .post(`/api/v1/admin/operations/${encodeURIComponent(workflowId)}/settle`)
        .auth(staff.tokens.admin, { type: 'bearer' })
        .set('Idempotency-Key', key)
        .send({ outcome: 'DONE', reference });
    const [first, again] = [await send(), await send()];
    expect([first.status, again.body]).toEqual([200, first.body]);
    expect(await auditedAs(id)).toHaveLength(1);
  });

  test('nobody settles an own one, and one that is not being sent is not settled', async () => {
    const { one, id, workflowId } = await toSend();
    await execute(staff.world.db, `UPDATE users SET roles = '{USER,ADMIN}' WHERE id = $1`, [one.userId]);
    const token = await signIn(staff.world, one.user);
    for (const outcome of ['DONE', 'REFUSED'])
      expect(outcomeOf(await settle(workflowId, { outcome }, token))).toBe('403 FORBIDDEN');
    expect((await desk.get(`/${id}`)).body.data.status).toBe('PROCESSING');
    const pending = await desk.requested();
    expect(outcomeOf(await settle(process.id({ payoutId: pending.id })))).toBe('400 NOT_PROCESSING');
  });

  test('above the limit it needs another administrator than the one who processed it', async () => {
    const { id, workflowId } = await toSend();
    const answer = await settle(workflowId, {}, staff.tokens.superAdmin);
    expect(outcomeOf(answer)).toBe('403 FORBIDDEN');
    expect(answer.body.error.reason).toBe('SECOND_ADMINISTRATOR_REQUIRED');
    expect((await desk.get(`/${id}`)).body.data.status).toBe('PROCESSING');
    expect(outcomeOf(await settle(workflowId))).toBe('200');
  });

  test('the id of the other kind is unknown', async () => {
    const { id } = await toSend();
    const other = kind === 'PARTNER' ? walletWithdrawalProcess : payoutProcess;
    expect(outcomeOf(await settle(other.id({ payoutId: id })))).toBe('404 OPERATION_NOT_FOUND');
  });
});

describe('a withdrawal of an investment', () => {
  async function owed() {
    const one = await investor(staff.world);
    const details = { accountNumber: IBAN, bankName: 'Demo Bank' };
    const { body } = await one.withdraw({ withdrawalMethod: 'BANK_TRANSFER', details });
    const withdrawalId = body.data.withdrawalId as string;
    return { one, withdrawalId, workflowId: withdrawalProcess.id({ withdrawalId }) };
  }

  test('is sent, once', async () => {
    const { workflowId, withdrawalId } = await owed();
    expect((await settle(workflowId)).body.data.status).toBe('COMPLETED');
    expect(outcomeOf(await settle(workflowId))).toBe('409 ALREADY_SETTLED');
    expect(await auditedAs(withdrawalId)).toEqual([{ action: 'withdrawal.settle' }]);
  });

  test('it waits too long: it is parked and seen, with SETTLE; settled, it is gone', async () => {
    const { one, withdrawalId, workflowId } = await owed();
    await execute(
      staff.world.db,
      `UPDATE investment_withdrawals SET created_at = created_at - interval '30 days' WHERE id = $1`,
      [withdrawalId],
    );
    await staff.world.temporal.workflow.getHandle(workflowId).signal(transferReported);
    const listed = async () => {
      const { body } = await staff.ask('get', `/admin/operations?userId=${one.user.id}`);
      return body.data as { operations: object[]; summary: { kind: string; count: number }[] };
    };
    await eventually(async () =>
      expect((await listed()).operations).toMatchObject([
        { workflowId, actions: ['RETRY', 'ABANDON', 'SETTLE'], reason: expect.stringContaining('settle it') },
      ]),
    );
    const counts = (await listed()).summary.filter(({ count }) => count > 0).map(({ kind }) => kind);
    expect(counts).toEqual(expect.arrayContaining(['PARKED_PROCESSES', 'WITHDRAWALS_BY_HAND']));
    expect((await settle(workflowId)).body.data.status).toBe('COMPLETED');
    await eventually(async () => expect((await listed()).operations).toEqual([]));
  });

  test('refused, its money is in the wallet', async () => {
    const { one, workflowId } = await owed();
    expect((await settle(workflowId, { outcome: 'REFUSED' })).body.data.status).toBe('CREDITED');
    expect(await moneyOf(staff.world.db, one.user.id)).toMatchObject({ walletMinor: 1_000_00 });
  });

  test('nobody settles an own one', async () => {
    const { one, workflowId } = await owed();
    await execute(staff.world.db, `UPDATE users SET roles = '{USER,ADMIN}' WHERE id = $1`, [one.user.id]);
    const token = await signIn(staff.world, one.user);
    expect(outcomeOf(await settle(workflowId, {}, token))).toBe('403 FORBIDDEN');
  });
});

describe('a refund of bank money', () => {
  async function owed() {
    const order = given(staff.world).order({ paymentMethod: 'BANK_TRANSFER' });
    const { refundId } = await order.paid().cancelled();
    return { refundId, workflowId: paymentRefundProcess.id({ refundId }) };
  }

  test('is sent, once; refused by the bank it stays owed', async () => {
    const { workflowId, refundId } = await owed();
    const refused = await settle(workflowId, { outcome: 'REFUSED' });
    expect(outcomeOf(refused)).toBe('400 CANNOT_SETTLE');
    expect(refused.body.error.reason).toBe('REFUND_STAYS_OWED');
    const waiting = await staff.ask('get', '/admin/payment-refunds?needsTransfer=true');
    expect((waiting.body.data.refunds as { id: string }[]).map(({ id }) => id)).toContain(refundId);
    expect((await settle(workflowId)).body.data).toMatchObject({ outcome: 'DONE', status: 'COMPLETED' });
    expect(outcomeOf(await settle(workflowId))).toBe('409 ALREADY_SETTLED');
    const left = await staff.ask('get', '/admin/payment-refunds?needsTransfer=true');
    expect((left.body.data.refunds as { id: string }[]).map(({ id }) => id)).not.toContain(refundId);
    const others = await staff.ask('get', '/admin/payment-refunds?needsTransfer=false');
    expect((others.body.data.refunds as { id: string }[]).map(({ id }) => id)).toContain(refundId);
    expect(await auditedAs(refundId)).toEqual([{ action: 'payment-refund.settle' }]);
  });

  test('of another amount than is owed now it is refused, as under its own path', async () => {
    const { workflowId, refundId } = await owed();
    const shown = await staff.ask('get', `/admin/payment-refunds/${refundId}`);
    const amount: number = shown.body.data.amount;
    const wrong = await settle(workflowId, { amount: amount + 0.01 });
    expect(outcomeOf(wrong)).toBe('400 VALIDATION_ERROR');
    expect(wrong.body.error).toMatchObject({
      reason: 'REFUND_AMOUNT_DIFFERS',
      details: { amount: [expect.any(String)] },
    });
    for (const bad of [0, -1, 0.001, '59.5'])
      expect(outcomeOf(await settle(workflowId, { amount: bad }))).toBe('400 VALIDATION_ERROR');
    expect(await auditedAs(refundId)).toEqual([]);
    expect(outcomeOf(await settle(workflowId, { amount }))).toBe('200');
  });
});

test('an amount is asked of refunds only: what else is sent by hand does not change', async () => {
  for (const process of ['payout', 'wallet-withdrawal', 'withdrawal']) {
    const answer = await settle(`${process}:${randomUUID()}`, { amount: 59.5 });
    expect([process, outcomeOf(answer)]).toEqual([process, '400 VALIDATION_ERROR']);
    expect(answer.body.error.details).toEqual({ amount: ['must be left out, except for a refund'] });
  }
});

test('a process that moves no money by hand has nothing to settle', async () => {
  const orderId = v7();
  const entry = {
    workflowId: checkoutProcess.id({ orderId }),
    type: checkoutProcess.type,
    entityId: orderId,
  };
  await park(staff.world.db, {
    ...{ ...entry, reason: 'x', lastError: 'x', since: new Date().toISOString(), runId: v7() },
  });
  const answer = await settle(entry.workflowId);
  expect(outcomeOf(answer)).toBe('400 CANNOT_SETTLE');
  expect(answer.body.error.reason).toBe('NOTHING_SENT_BY_HAND');
  await execute(staff.world.db, 'DELETE FROM parked_processes WHERE workflow_id = $1', [entry.workflowId]);
});

test('what is not there is unknown, hostile ids too', async () => {
  const id = randomUUID();
  const own = ['payment-refund', 'payout', 'wallet-withdrawal', 'withdrawal', 'checkout', 'nothing'];
  for (const workflowId of [
    ...own.map((prefix) => `${prefix}:${id}`),
    ...['payout:', `PAYOUT:${id}`, `payout:${id} `.trim() + "'--", `x payout:${id}`, '..', '%', '💥'],
  ])
    expect([workflowId, outcomeOf(await settle(workflowId))]).toEqual([
      workflowId,
      '404 OPERATION_NOT_FOUND',
    ]);
});

test.each([
  [{ outcome: 'MAYBE' }, 'outcome'],
  [{ outcome: undefined }, 'outcome'],
  [{ reference: '' }, 'reference'],
  [{ reference: 'x'.repeat(201) }, 'reference'],
  [{ reference: 7 }, 'reference'],
])('%j is refused by name', async (body, field) => {
  const answer = await settle(`payout:${randomUUID()}`, body);
  expect(outcomeOf(answer)).toBe('400 VALIDATION_ERROR');
  expect(Object.keys(answer.body.error.details as object)).toEqual([field]);
});

test('is for administrators', async () => {
  const buyer = await signIn(staff.world, await make.buyer(staff.world.db));
  expect(outcomeOf(await settle(`payout:${randomUUID()}`, {}, buyer))).toBe('403 FORBIDDEN');
  expect(outcomeOf(await settle(`payout:${randomUUID()}`, {}, null))).toBe('401 UNAUTHORIZED');
});
