import { v7 } from 'uuid';
import type { PayoutProvider } from '../../../../activities/providers/payouts/port';
import { sendOut } from '../../../../activities/providers/payouts/send-out';
import { withdrawalActivities } from '../../../../activities/investment/withdrawal/withdrawal.activities';
import { policyFrom } from '../../../../db/policy/config';
import { rows } from '../../../../db/sql/query';
import { moneyOf } from '../../../support/builders/investing/withdrawing';
import { make } from '../../../support/builders/make';
import { noteOf } from '../../../support/builders/ordering';
import {
  at,
  decision,
  fundsOf,
  payee,
  payoutSteps,
  processed,
  requested,
} from '../../../support/builders/paying-out/payees';
import { sentWithdrawal } from '../../../support/builders/investing/sent-withdrawal';
import { violations } from '../../../support/checks/violations';
import { FakePayouts } from '../../../support/fakes/fake-payouts';
import { ownDatabase } from '../../../support/servers/database';

/** Transfers that turn out to have arrived when what they are of has ended otherwise. */
const own = ownDatabase();

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

const differencesOf = (ourId: string) =>
  rows<{ difference: string }>(
    own.db,
    `SELECT concat_ws(' ', provider, kind, movement_kind, provider_id, their_minor, their_currency) AS difference
       FROM reconciliation_differences WHERE our_id = $1 AND resolved_at IS NULL`,
    [ourId],
  ).then((found) => found.map(({ difference }) => difference));

/** A provider whose look-ups say that the money has arrived, as soon as they are let. */
function slow(amountMinor: number) {
  let answers: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (answers = resolve));
  let isAsked: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => (isAsked = resolve));
  const transferId = v7();
  const provider: PayoutProvider = {
    ...{ code: 'sandbox', methods: ['CARD' as const], certainAfterMs: 0, remembersForMs: null },
    sendTransfer: () => Promise.reject(new Error('Nothing is to be sent.')),
    async lookUpTransfer() {
      isAsked();
      await held;
      return { status: 'arrived', transferId, amountMinor };
    },
  };
  return { provider, transferId, asked, answers };
}

/** A payout of 40.00 whose provider has it under way. */
async function underWay() {
  const bank = new FakePayouts();
  bank.mood = 'is silent';
  const steps = payoutSteps(own.db, bank);
  const one = await payee(own.db);
  const payoutId = await processed(own.db, steps, one);
  expect(await steps.sendPayout({ payoutId, at: at() })).toBe('UNDER_WAY');
  return { bank, steps, one, payoutId };
}

test('the transfer that has completed a payout is no difference, however often it is booked', async () => {
  const { bank, steps, payoutId } = await underWay();
  bank.arrives(bank.sent[0]!);
  const send = () => steps.sendPayout({ payoutId, at: at() });
  await Promise.all([send(), send(), send(), steps.handOverPayout({ payoutId, at: at() })]);
  expect(await steps.payoutState({ payoutId })).toMatchObject({ status: 'COMPLETED' });
  expect(await differencesOf(payoutId)).toEqual([]);
});

describe.each(['sendPayout', 'handOverPayout'] as const)('found by %s', (step) => {
  test('a payout that was rejected meanwhile: the money has left, operators see it, and nothing more is sent', async () => {
    const { bank, steps, one, payoutId } = await underWay();
    const { provider, transferId, asked, answers } = slow(40_00);
    const late = payoutSteps(own.db, provider)[step]({ payoutId, at: at() });
    await asked;
    bank.forgets(bank.sent[0]!);
    await steps.completePayout({ ...(await decision(own.db, payoutId)), outcome: 'REFUSED' });
    await steps.rejectPayout({ ...(await decision(own.db, payoutId, { text: 'No.' })), returnsFunds: true });
    answers();
    await late;
    expect(await differencesOf(payoutId)).toEqual([
      `sandbox MISSING_HERE TRANSFER_OUT ${transferId} 4000 USD`,
    ]);
    expect(await fundsOf(own.db, one.userId)).toMatchObject({ heldMinor: 0, payouts: ['REJECTED 4000'] });
    const next = await requested(steps, await payee(own.db));
    await steps.approvePayout(await decision(own.db, next));
    await expect(steps.processPayout(await decision(own.db, next))).rejects.toMatchObject({
      type: 'FORBIDDEN',
    });
    // Explained, for the other tests.
    await rows(own.db, 'UPDATE reconciliation_differences SET resolved_at = now() RETURNING id');
  });
});

test('a withdrawal whose money was credited meanwhile', async () => {
  const { bank, steps, userId, withdrawalId } = await sentWithdrawal(own.db);
  const { provider, transferId, asked, answers } = slow(bank.sent[0]!.amountMinor);
  const payouts = { providers: new Map([['sandbox', provider]]), current: 'sandbox' };
  const slowly = withdrawalActivities({ db: own.db, payouts, policy: policyFrom({}) });
  const late = slowly.sendWithdrawal({ withdrawalId, at: at() });
  await asked;
  bank.refuses(bank.sent[0]!);
  expect(await steps.sendWithdrawal({ withdrawalId, at: at() })).toBe('ENDED');
  answers();
  await late;
  expect(await differencesOf(withdrawalId)).toEqual([
    `sandbox MISSING_HERE TRANSFER_OUT ${transferId} ${bank.sent[0]!.amountMinor} USD`,
  ]);
  expect((await moneyOf(own.db, userId)).walletMinor).toBe(bank.sent[0]!.amountMinor);
  const noteId = await noteOf(own.db, (await make.admin(own.db)).id, 'OUT 1');
  await expect(
    steps.settleWithdrawal({ withdrawalId, noteId, outcome: 'DONE', at: at() }),
  ).rejects.toMatchObject({ type: 'ALREADY_SETTLED' });
});

test('a worker that stood still between the record of a request and its call does not call', async () => {
  const bank = new FakePayouts();
  const payouts = { providers: new Map([[bank.code, bank]]) };
  const transfer = {
    ...{ id: 'p', provider: 'sandbox', askedAt: null, askedProvider: null, sendings: 1, unproven: [] },
    ...{ amountMinor: 1, currency: 'USD', name: 'payout' },
  };
  const destination = { method: 'EWALLET', accountHolder: 'Ada', walletId: 'w' } as const;
  const asks = (stoodStillMs: number) => () => {
    const now = Date.now() + stoodStillMs;
    jest.spyOn(Date, 'now').mockReturnValue(now);
    return Promise.resolve({ sendings: 1, destination });
  };
  try {
    const standing = sendOut(payouts, transfer, asks(10_001), new Date());
    await expect(standing).rejects.toThrow('too old to be sent');
    expect(bank.sent).toEqual([]);
  } finally {
    jest.restoreAllMocks();
  }
  try {
    expect(await sendOut(payouts, transfer, asks(9_000), new Date())).toMatchObject({ status: 'arrived' });
  } finally {
    jest.restoreAllMocks();
  }
});
