import { v7 } from 'uuid';
import { openMatters } from '../../../db/identity/user/open-matters.reads';
import { execute, firstRow } from '../../../db/sql/query';
import { enterSandboxPayments } from '../../../api/sandbox/enter-payments.command';
import { refusalIn } from '../../../workflows/errors';
import { noteOf } from '../../support/builders/ordering';
import { make } from '../../support/builders/make';
import { TOP_UP_MINOR, topUpState } from '../../support/builders/wallets/top-ups';
import { held, waiting } from '../../support/checks/held-locks';
import { lookForMoney } from '../../support/checks/look-for-money';
import { violations } from '../../support/checks/violations';
import { ownDatabase } from '../../support/servers/database';
import { toppingUp, type Opened } from './topping-up';

const own = ownDatabase();
const { steps, now, asked, opened, reported, paid } = toppingUp(own, { POLICY_PENDING_TOP_UPS: '3' });
afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

const stateOf = ({ userId }: Pick<Opened, 'userId'>) => topUpState(own.db, userId);
const later = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString();
const IN_THE_WALLET = {
  ...{ topUps: ['PAID PAID'], walletMinor: TOP_UP_MINOR, refunds: [], mails: ['paid'] },
  ledger: ['clearing_sandbox -10000', 'wallet 10000'],
};
const refused = (error: unknown) => {
  const found = refusalIn(error);
  return [found?.code, found?.reason, Object.keys(found?.details ?? {})];
};
const refusalOf = (asking: Promise<unknown>) => asking.then(() => 'not refused', refused);

describe('opening', () => {
  test.each(['CARD', 'EWALLET'] as const)('%s: a page for 30 minutes, and twice the same', async (method) => {
    const made = await opened({ paymentMethod: method });
    const { standing, payment } = made.answer;
    expect(standing).toMatchObject({
      status: 'PENDING_PAYMENT',
      label: expect.stringMatching(/^TOP-.* 100.00 USD$/),
    });
    expect(payment).toMatchObject({
      method,
      amountMinor: TOP_UP_MINOR,
      paymentUrl: expect.stringContaining('/sandbox/'),
    });
    expect(Date.parse(standing.payBy) - Date.parse(made.at)).toBe(30 * 60_000);
    expect(await steps().openTopUp(made)).toEqual(made.answer);
    expect(await stateOf(made)).toMatchObject({ attempts: [`${method} PENDING`], mails: [], walletMinor: 0 });
  });

  test('BANK_TRANSFER: our account for 72 hours, with its number as the purpose, by mail too', async () => {
    const made = await opened({ paymentMethod: 'BANK_TRANSFER' });
    const { standing, payment } = made.answer;
    const [number] = standing.label.split(' ');
    expect(payment).toMatchObject({
      paymentUrl: null,
      bankDetails: { accountNumber: 'DE02', purpose: number },
    });
    expect(Date.parse(standing.payBy) - Date.parse(made.at)).toBe(72 * 60 * 60_000);
    expect((await stateOf(made)).mails).toEqual(['transfer']);
  });

  test('outside the bounds of the policy: refused, with the field named', async () => {
    const { id } = await make.user(own.db);
    for (const amountMinor of [9_99, 10_000_01, 1])
      expect(await refusalOf(steps().openTopUp(asked(id, { amountMinor })))).toEqual([
        'VALIDATION_ERROR',
        undefined,
        ['amount'],
      ]);
    for (const amountMinor of [10_00, 10_000_00]) await opened({ userId: id, amountMinor });
  });

  test('ten requests at once: no more than the policy allows wait; a cancelled one makes room', async () => {
    const { id: userId } = await make.user(own.db);
    const answers = await Promise.allSettled(
      Array.from({ length: 10 }, () => steps().openTopUp(asked(userId))),
    );
    const refusals = answers.flatMap((answer) =>
      answer.status === 'rejected' ? [refused(answer.reason)] : [],
    );
    expect(refusals).toEqual(
      Array.from({ length: 7 }, () => ['VALIDATION_ERROR', 'TOO_MANY_UNPAID_TOP_UPS', []]),
    );
    expect((await topUpState(own.db, userId)).topUps).toHaveLength(3);
    const one = await firstRow<{ id: string }>(own.db, 'SELECT id FROM top_ups WHERE user_id = $1 LIMIT 1', [
      userId,
    ]);
    await steps().cancelTopUp({ topUpId: one!.id, at: now() });
    await opened({ userId });
  });

  test('twins of one request at once are one top-up', async () => {
    const { id } = await make.user(own.db);
    const command = asked(id);
    const answers = await Promise.all([1, 2, 3, 4].map(() => steps().openTopUp(command)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect((await topUpState(own.db, id)).attempts).toEqual(['CARD PENDING']);
  });

  test.each(['SUSPENDED', 'BANNED', 'PENDING_VERIFICATION'] as const)('%s: FORBIDDEN', async (status) => {
    const { id } = await make.user(own.db, { status });
    expect(await refusalOf(steps().openTopUp(asked(id)))).toEqual(['FORBIDDEN', undefined, []]);
  });
});

describe('a report', () => {
  test('PAID: in the wallet once, and the answer names it', async () => {
    const made = await opened();
    const answer = await reported('PAID', made);
    expect(answer).toMatchObject({
      ...{ outcome: 'APPLIED', topUpId: made.topUpId, userId: made.userId, refundsDue: [] },
      awaitsFulfilment: false,
    });
    expect(answer).not.toHaveProperty('orderId');
    expect(await stateOf(made)).toMatchObject({ ...IN_THE_WALLET, attempts: ['CARD PAID'] });
  });

  test('of one payment, ten at once: in the wallet once', async () => {
    const made = await opened();
    const paymentId = v7();
    await Promise.all(Array.from({ length: 10 }, () => reported('PAID', made, { paymentId })));
    expect(await stateOf(made)).toMatchObject(IN_THE_WALLET);
  });

  test('of two payments at once: one is in the wallet, the other goes back', async () => {
    const made = await opened();
    await Promise.all([reported('PAID', made), reported('PAID', made)]);
    expect(await stateOf(made)).toMatchObject({
      ...IN_THE_WALLET,
      refunds: ['DUPLICATE_PAYMENT 10000 PROCESSING'],
    });
  });

  test('of another amount: it goes back, and the top-up waits on', async () => {
    const made = await opened();
    await reported('PAID', made, { amountMinor: 99_99 });
    expect(await stateOf(made)).toMatchObject({
      ...{ topUps: ['PENDING_PAYMENT FAILED'], attempts: ['CARD DECLINED'], walletMinor: 0, ledger: [] },
      refunds: ['AMOUNT_MISMATCH 9999 PROCESSING'],
    });
  });

  test('DECLINED: it waits on; EXPIRED: it is cancelled and mailed, and money after that goes back', async () => {
    const made = await opened();
    await reported('DECLINED', made);
    expect((await stateOf(made)).topUps).toEqual(['PENDING_PAYMENT FAILED']);
    const other = await opened();
    await reported('EXPIRED', other);
    expect(await stateOf(other)).toMatchObject({ topUps: ['CANCELLED FAILED'], mails: ['unpaid'] });
    await reported('PAID', other);
    expect(await stateOf(other)).toMatchObject({
      ...{ topUps: ['CANCELLED FAILED'], refunds: ['LATE_PAYMENT 10000 PROCESSING'], walletMinor: 0 },
    });
    const refund = await firstRow<{ id: string }>(
      own.db,
      'SELECT id FROM payment_refunds WHERE top_up_id = $1',
      [other.topUpId],
    );
    await steps().completeRefund({ refundId: refund!.id, providerRefundId: v7(), at: now() });
    expect((await stateOf(other)).topUps).toEqual(['CANCELLED REFUNDED']);
  });
});

describe('a bank transfer', () => {
  const transfer = async ({ topUpId }: Opened, transactionId: string, change: object = {}) => {
    const staff = await make.admin(own.db);
    const noteId = await noteOf(own.db, staff.id, null);
    const entered = { captureId: v7(), topUpId, amountMinor: TOP_UP_MINOR, transactionId, noteId, at: now() };
    return steps().confirmTransfer({ ...entered, onMismatch: 'REFUSE', ...change });
  };

  test('pays one that was to be paid by card, once, also when it is entered again', async () => {
    const made = await opened();
    for (let times = 0; times < 2; times++)
      expect(await transfer(made, 'TOP-1')).toMatchObject({
        status: 'PAID',
        paymentStatus: 'PAID',
        outcome: 'APPLIED',
      });
    expect(await stateOf(made)).toMatchObject({
      ...{ topUps: ['PAID PAID'], walletMinor: TOP_UP_MINOR, mails: ['paid'] },
      ...{
        attempts: ['CARD CANCELLED', 'BANK_TRANSFER PAID'],
        ledger: ['clearing_bank -10000', 'wallet 10000'],
      },
    });
    const audited = await firstRow<{ n: number }>(
      own.db,
      `SELECT count(*)::int AS n FROM audit_records WHERE action = 'top-up.confirm-transfer' AND entity_id = $1`,
      [made.topUpId],
    );
    expect(audited).toEqual({ n: 1 });
  });

  test('of another amount is refused or sent back; its reference belongs to it', async () => {
    const [made, other] = [await opened({ paymentMethod: 'BANK_TRANSFER' }), await opened()];
    expect(await refusalOf(transfer(made, 'TOP-2', { amountMinor: 1 }))).toEqual([
      'AMOUNT_MISMATCH',
      undefined,
      ['amount'],
    ]);
    expect(await transfer(made, 'TOP-2', { amountMinor: 1, onMismatch: 'RETURN' })).toMatchObject({
      outcome: 'RETURNED',
    });
    expect(await refusalOf(transfer(other, 'TOP-2'))).toEqual([
      ...['VALIDATION_ERROR', 'TRANSFER_ALREADY_USED'],
      ['transactionId'],
    ]);
    expect(await stateOf(made)).toMatchObject({
      ...{ topUps: ['PENDING_PAYMENT PENDING'], walletMinor: 0 },
      refunds: ['AMOUNT_MISMATCH 1 PROCESSING'],
    });
  });

  test('and a card payment at once: one is in the wallet, the other goes back', async () => {
    const made = await opened();
    await Promise.all([transfer(made, 'TOP-3'), reported('PAID', made)]);
    const { walletMinor, topUps, refunds } = await stateOf(made);
    expect({ walletMinor, topUps, refunds }).toEqual({
      ...{ walletMinor: TOP_UP_MINOR, topUps: ['PAID PAID'] },
      refunds: ['DUPLICATE_PAYMENT 10000 PROCESSING'],
    });
  });
});

describe('giving up', () => {
  test('cancelled by its owner: closed without a mail, twice the same; money after that goes back', async () => {
    const made = await opened({ paymentMethod: 'BANK_TRANSFER' });
    const at = now();
    for (let times = 0; times < 2; times++)
      expect(await steps().cancelTopUp({ topUpId: made.topUpId, at })).toMatchObject({ status: 'CANCELLED' });
    // The mail that asked for the transfer was not sent yet, and is withdrawn.
    expect(await stateOf(made)).toMatchObject({
      ...{ topUps: ['CANCELLED FAILED'], attempts: ['BANK_TRANSFER EXPIRED'], mails: [] },
    });
    await reported('PAID', made);
    expect(await stateOf(made)).toMatchObject({ walletMinor: 0, refunds: ['LATE_PAYMENT 10000 PROCESSING'] });
  });

  test('a paid one is not cancelled', async () => {
    const made = await paid();
    expect(await refusalOf(steps().cancelTopUp({ topUpId: made.topUpId, at: now() }))).toEqual([
      ...['CANNOT_CANCEL', undefined],
      [],
    ]);
    expect(await stateOf(made)).toMatchObject(IN_THE_WALLET);
  });

  test('cancelled while its payment waits for the lock: it stays cancelled, and the money goes back', async () => {
    const made = await opened();
    const cancelling = await held(
      own.db,
      `SELECT 1 FROM top_ups WHERE id = '${made.topUpId}' FOR NO KEY UPDATE`,
    );
    const cancelled = steps().cancelTopUp({ topUpId: made.topUpId, at: now() });
    await waiting(own.db, 1);
    const applied = reported('PAID', made);
    await waiting(own.db, 2);
    await cancelling.release();
    await Promise.all([cancelled, applied]);
    expect(await stateOf(made)).toMatchObject({
      ...{ topUps: ['CANCELLED FAILED'], walletMinor: 0, refunds: ['LATE_PAYMENT 10000 PROCESSING'] },
    });
  });

  test('expired only after its window', async () => {
    const made = await opened();
    expect(await steps().expireTopUp({ topUpId: made.topUpId, at: later(29) })).toMatchObject({
      status: 'PENDING_PAYMENT',
    });
    expect(await steps().expireTopUp({ topUpId: made.topUpId, at: later(31) })).toMatchObject({
      status: 'CANCELLED',
    });
    expect(await stateOf(made)).toMatchObject({ attempts: ['CARD EXPIRED'], mails: ['unpaid'] });
  });

  test('money whose report was lost is found at the end of the window, and pays once', async () => {
    const made = await opened();
    const payment = { key: made.attemptId, amountMinor: TOP_UP_MINOR, currency: 'USD', at: new Date() };
    await enterSandboxPayments(own.db, payment, () =>
      (['PAID', 'PAID'] as const).map((status) => ({ status, delayMs: 0 })),
    );
    const { topUpId } = made;
    const due = await lookForMoney(steps(), { topUpId, at: later(31) });
    expect(due).toMatchObject([{ topUpId }]);
    expect(await lookForMoney(steps(), { topUpId, at: later(31) })).toEqual(due);
    expect(await steps().expireTopUp({ topUpId, at: later(31) })).toMatchObject({ status: 'PAID' });
    expect(await stateOf(made)).toMatchObject({
      ...IN_THE_WALLET,
      refunds: ['DUPLICATE_PAYMENT 10000 PROCESSING'],
    });
  });
});

test('what keeps an account: one that waits, money that goes back, and money in the wallet', async () => {
  const mattersOf = ({ userId }: Opened) =>
    openMatters(own.db, userId, { at: new Date(), returnWindowDays: null });
  const made = await opened();
  const [number] = made.answer.standing.label.split(' ');
  expect(await mattersOf(made)).toEqual([`the top-up ${number} is PENDING_PAYMENT`]);
  await steps().cancelTopUp({ topUpId: made.topUpId, at: now() });
  expect(await mattersOf(made)).toEqual([]);
  await reported('PAID', made);
  expect(await mattersOf(made)).toEqual([`money for top-up ${number} is on its way back`]);
  expect(await mattersOf(await paid())).toEqual(['holds money in USD']);
});

test('a payment of an account that was closed meanwhile reaches the wallet all the same', async () => {
  const made = await opened();
  await execute(own.db, `UPDATE users SET status = 'BANNED' WHERE id = $1`, [made.userId]);
  await reported('PAID', made);
  expect((await stateOf(made)).walletMinor).toBe(TOP_UP_MINOR);
});
