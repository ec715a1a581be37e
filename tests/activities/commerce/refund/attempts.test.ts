import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { CALL_BEGINS_WITHIN_MS } from '../../../../activities/providers/payouts/port';
import { sandboxProvider } from '../../../../activities/providers/payments/sandbox/driver';
import { readRefund } from '../../../../db/commerce/refund/refund.transitions';
import { execute, firstRow } from '../../../../db/sql/query';
import type { SentRefund } from '../../../../workflows/commerce/refund/payment-refund.contract';
import { given } from '../../../support/builders/given';
import { orderSteps } from '../../../support/builders/ordering';
import { held, waiting } from '../../../support/checks/held-locks';
import { violations } from '../../../support/checks/violations';
import { FakeBank } from '../../../support/fakes/fake-bank';
import { ownDatabase } from '../../../support/servers/database';

/** The attempts of a refund at its provider, each by its own key. */
const own = ownDatabase();
const logger = new DefaultLogger('ERROR');

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

const send = (
  bank: FakeBank,
  refundId: string,
  {
    again = false,
    isNext = again,
    attempt = 1,
  }: { again?: boolean; isNext?: boolean; attempt?: number } = {},
): Promise<SentRefund> =>
  new MockActivityEnvironment({ attempt }, { logger }).run(orderSteps(own.db, bank).sendRefund, {
    refundId,
    again,
    isNext,
    at: new Date().toISOString(),
  });

test('the next attempt begins after a certain refusal only, and has another key', async () => {
  const bank = new FakeBank();
  const { refundId } = await given(own.db).order({ provider: bank }).paid().cancelled();
  for (const mood of ['is not reached', 'is not reached', 'refuses', 'is not reached', 'refuses'] as const) {
    bank.mood = mood;
    await expect(send(bank, refundId, { again: true })).rejects.toThrow();
  }
  bank.mood = 'answers';
  expect(await send(bank, refundId, { again: true })).toMatchObject({ sentBy: 'PROVIDER' });
  expect(bank.keys).toEqual([`${refundId}:1`, `${refundId}:2`, `${refundId}:3`]);
  expect(bank.sent).toEqual([`${refundId}:3`]);
});

test('after a certain refusal only a person, or a decided chargeback, begins the next attempt', async () => {
  const bank = new FakeBank();
  const { refundId } = await given(own.db).order({ provider: bank }).paid().cancelled();
  bank.mood = 'refuses';
  await expect(send(bank, refundId)).rejects.toMatchObject({ type: 'RefundRefused' });
  bank.mood = 'answers';
  // A report of the provider wakes the process; a worker dies after the refusal was recorded.
  for (const unasked of [{ isNext: false }, { attempt: 2 }])
    await expect(send(bank, refundId, { again: true, ...unasked })).rejects.toMatchObject({
      type: 'RefundRefused',
    });
  expect(bank.keys).toEqual([`${refundId}:1`]);
  expect(await send(bank, refundId, { again: true })).toMatchObject({ sentBy: 'PROVIDER' });
  expect(bank.sent).toEqual([`${refundId}:2`]);
});

describe('an attempt that a restored database does not know', () => {
  const attemptsOf = (refundId: string) =>
    firstRow(
      own.db,
      `SELECT status, sendings, asked_sendings, asked_at IS NOT NULL AS is_asked FROM payment_refunds WHERE id = $1`,
      [refundId],
    );

  test('is found and recorded, and nothing is sent again', async () => {
    const bank = new FakeBank();
    const { refundId } = await given(own.db).order({ provider: bank }).paid().cancelled();
    bank.carriesOut(`${refundId}:3`, 5_000);
    expect(await send(bank, refundId, { again: true, isNext: false })).toMatchObject({ sentBy: 'PROVIDER' });
    expect(bank.keys).toEqual([]);
    expect(await attemptsOf(refundId)).toMatchObject({ sendings: 3, askedSendings: 3, isAsked: true });
  });

  test('of the sandbox completes its refund, and no invariant names it', async () => {
    const { refundId } = await given(own.db).order().paid().cancelled();
    const { paymentId, amountMinor, currency } = await readRefund(own.db, refundId);
    const { refund } = sandboxProvider({ publicUrl: 'http://shop.test', secrets: ['whsec_'] }, own.db);
    await refund({ key: `${refundId}:2`, paymentId, amountMinor, currency });
    const steps = orderSteps(own.db);
    const at = new Date().toISOString();
    const sent: SentRefund = await new MockActivityEnvironment({}, { logger }).run(steps.sendRefund, {
      ...{ refundId, again: true, at },
    });
    if (sent.sentBy !== 'PROVIDER') throw new Error(`It is sent by ${sent.sentBy}.`);
    await steps.completeRefund({ refundId, providerRefundId: sent.providerRefundId, at });
    expect(await attemptsOf(refundId)).toMatchObject({ status: 'COMPLETED', sendings: 2 });
  });

  test('and that has failed since it was pending, is followed by one with a key that was never used', async () => {
    const bank = new FakeBank();
    const { refundId } = await given(own.db).order({ provider: bank }).paid().cancelled();
    bank.mood = 'keeps it pending';
    await bank.refund({ key: `${refundId}:2`, amountMinor: 5_000 });
    expect(await send(bank, refundId, { again: true, isNext: false })).toMatchObject({
      sentBy: 'PROVIDER_LATER',
    });
    bank.fails(`${refundId}:2`);
    await expect(send(bank, refundId, { again: true })).rejects.toMatchObject({ type: 'RefundRefused' });
    bank.mood = 'answers';
    expect(await send(bank, refundId, { again: true })).toMatchObject({ sentBy: 'PROVIDER' });
    expect(bank.sent).toEqual([`${refundId}:3`]);
  });
});

test('an attempt that was refused and is carried out after all is found, and the next one is not sent', async () => {
  const bank = new FakeBank();
  const { refundId } = await given(own.db).order({ provider: bank }).paid().cancelled();
  bank.mood = 'refuses';
  await expect(send(bank, refundId)).rejects.toThrow();
  bank.mood = 'answers';
  bank.carriesOut(`${refundId}:1`, 5_000);
  expect(await send(bank, refundId, { again: true })).toMatchObject({ sentBy: 'PROVIDER' });
  expect(bank.sent).toEqual([`${refundId}:1`]);
});

test('a refund that was pending and has failed is sent again by another attempt', async () => {
  const bank = new FakeBank();
  const { refundId } = await given(own.db).order({ provider: bank }).paid().cancelled();
  bank.mood = 'keeps it pending';
  expect(await send(bank, refundId)).toMatchObject({ sentBy: 'PROVIDER_LATER' });
  bank.fails(`${refundId}:1`);
  await expect(send(bank, refundId, { again: true })).rejects.toMatchObject({ type: 'RefundRefused' });
  bank.mood = 'answers';
  expect(await send(bank, refundId, { again: true })).toMatchObject({ sentBy: 'PROVIDER' });
  expect(bank.sent).toEqual([`${refundId}:2`]);
});

describe('a refund that is pending for days', () => {
  const pendingFor = async (lookedUpAgo: string) => {
    const bank = new FakeBank();
    const { refundId } = await given(own.db).order({ provider: bank }).paid().cancelled();
    bank.mood = 'keeps it pending';
    await send(bank, refundId);
    await execute(
      own.db,
      `UPDATE payment_refunds SET created_at = now() - interval '3 days', pending_since = now() - interval '3 days',
         answered_at = now() - $2::interval WHERE id = $1`,
      [refundId, lookedUpAgo],
    );
    return { bank, refundId };
  };

  test('goes on while it is looked up, and is an offence when nobody has looked at it for hours', async () => {
    const { bank, refundId } = await pendingFor('4 hours');
    expect(await violations(own.db)).toEqual([]);
    await execute(
      own.db,
      `UPDATE payment_refunds SET answered_at = now() - interval '6 hours' WHERE id = $1`,
      [refundId],
    );
    expect(await violations(own.db)).toEqual([expect.stringContaining(refundId)]);
    expect(await send(bank, refundId, { again: true })).toMatchObject({ sentBy: 'PROVIDER_LATER' });
  });

  test('and is shown to operators, is none', async () => {
    const { refundId } = await pendingFor('2 days');
    await execute(
      own.db,
      `INSERT INTO parked_processes (workflow_id, type, entity_id, reason, last_error, since, run_id)
       VALUES ('payment-refund:' || $1::text, 'paymentRefund', $1::text, 'It takes too long.', '', now(), 'run')`,
      [refundId],
    );
  });
});

test('a worker that stood still before its call does not make it: another try may have gone on', async () => {
  const bank = new FakeBank();
  const { refundId, orderId } = await given(own.db).order({ provider: bank }).paid().cancelled();
  const lock = await held(own.db, `SELECT 1 FROM orders WHERE id = '${orderId}' FOR UPDATE`);
  const sending = send(bank, refundId);
  await waiting(own.db, 1);
  const late = Date.now() + CALL_BEGINS_WITHIN_MS + 1;
  jest.spyOn(Date, 'now').mockReturnValue(late);
  try {
    await Promise.all([expect(sending).rejects.toThrow('too old to be sent'), lock.release()]);
  } finally {
    jest.restoreAllMocks();
  }
  expect(bank.sent).toEqual([]);
  expect(await send(bank, refundId)).toMatchObject({ sentBy: 'PROVIDER' });
});
