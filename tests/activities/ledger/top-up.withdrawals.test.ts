import { firstRow, rows } from '../../../db/sql/query';
import { refusalIn } from '../../../workflows/errors';
import { CARD } from '../../support/builders/investing/withdrawing';
import { make } from '../../support/builders/make';
import {
  at,
  decision,
  fundsOf,
  payoutSteps,
  requested as requestedOf,
  saveDetails,
} from '../../support/builders/paying-out/payees';
import { TOP_UP_MINOR, topUpState } from '../../support/builders/wallets/top-ups';
import { held, waiting } from '../../support/checks/held-locks';
import { owedMessages } from '../../support/checks/mail';
import { violations } from '../../support/checks/violations';
import { FakePayouts } from '../../support/fakes/fake-payouts';
import { ownDatabase } from '../../support/servers/database';
import { toppingUp } from './topping-up';

const own = ownDatabase();
const { paid, chargedBack } = toppingUp(own);
afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

/** A user whose top-up of 100.00 is paid, who may withdraw, with more money from elsewhere, and a bank. */
async function toppedUp(elsewhereMinor = 0) {
  const { id: userId } = await make.user(own.db, { kycLevel: 'STANDARD' });
  await saveDetails(own.db, userId, CARD);
  if (elsewhereMinor > 0) await make.money(own.db, userId, elsewhereMinor);
  const bank = new FakePayouts();
  return { ...(await paid({ userId })), bank, steps: payoutSteps(own.db, bank) };
}
type ToppedUp = Awaited<ReturnType<typeof toppedUp>>;

const requests = ({ steps, userId }: ToppedUp, amountMinor = TOP_UP_MINOR): Promise<string> =>
  requestedOf(steps, { kind: 'WALLET', userId }, amountMinor);

const outcomeOf = (work: Promise<{ status: string }>): Promise<string> =>
  work.then(
    ({ status }) => status,
    (error: unknown) => {
      const refused = refusalIn(error);
      if (!refused) throw error;
      return refused.reason ?? refused.code;
    },
  );

/** Decisions on a withdrawal: each answers the state after it, or its refusal. */
const decides = {
  approve: async ({ steps }: ToppedUp, id: string) =>
    outcomeOf(steps.approvePayout(await decision(own.db, id))),
  process: async ({ steps }: ToppedUp, id: string) =>
    outcomeOf(steps.processPayout(await decision(own.db, id))),
  cancel: async ({ steps, userId }: ToppedUp, id: string) =>
    outcomeOf(steps.cancelPayout({ ...(await decision(own.db, id, { by: userId })), byOwner: true })),
  reject: async ({ steps }: ToppedUp, id: string, returnsFunds: boolean) =>
    outcomeOf(steps.rejectPayout({ ...(await decision(own.db, id, { text: 'No.' })), returnsFunds })),
};

const moneyOf = async ({ userId }: ToppedUp) => {
  const { walletMinor, heldMinor, payouts } = await fundsOf(own.db, userId);
  return { walletMinor, heldMinor, payouts };
};
const words = (text: string) => expect.stringContaining(text) as string;

test('held by a withdrawal that nobody decided on: it ends, the money is taken back, and the owner cannot cancel it', async () => {
  const one = await toppedUp();
  const payoutId = await requests(one);
  const { first, again } = await chargedBack('payment.charged_back', one);
  expect(first).toMatchObject({ outcome: 'APPLIED', withdrawalsEnded: [payoutId] });
  expect(first).not.toHaveProperty('toDecide');
  // Named again when the answer of the try that applied it was lost.
  expect(again).toMatchObject({ outcome: 'WITHOUT_EFFECT', withdrawalsEnded: [payoutId] });
  const taken = { walletMinor: 0, heldMinor: 0, payouts: ['REJECTED 10000'] };
  expect(await moneyOf(one)).toEqual(taken);
  expect(await decides.cancel(one, payoutId)).toBe('NOT_CANCELLABLE');
  expect(await decides.approve(one, payoutId)).toBe('NOT_PENDING');
  expect(await moneyOf(one)).toEqual(taken);
});

test('held by an approved withdrawal: it ends, and no administrator sends it', async () => {
  const one = await toppedUp();
  const payoutId = await requests(one);
  await decides.approve(one, payoutId);
  await chargedBack('payment.charged_back', one);
  expect(await moneyOf(one)).toEqual({ walletMinor: 0, heldMinor: 0, payouts: ['REJECTED 10000'] });
  expect(await decides.process(one, payoutId)).toBe('NOT_APPROVED');
  await one.steps.sendPayout({ payoutId, at: at() });
  expect(one.bank.requests).toEqual([]);
});

test('the chargeback stands behind the end, in the audit trail as the platform, and the owner is told why', async () => {
  const one = await toppedUp();
  const payoutId = await requests(one);
  await chargedBack('payment.charged_back', one);
  const row = await firstRow<{ chargebackId: string }>(
    own.db,
    `SELECT p.decided_by, p.details, p.funds_returned, p.chargeback_id, c.status FROM payouts p
       JOIN chargebacks c ON c.id = p.chargeback_id WHERE p.id = $1`,
    [payoutId],
  );
  expect(row).toMatchObject({ decidedBy: null, details: null, fundsReturned: true, status: 'TAKEN' });
  const audited = await rows(
    own.db,
    'SELECT actor_id, action, next FROM audit_records WHERE entity_id = $1',
    [payoutId],
  );
  expect(audited).toEqual([
    {
      actorId: null,
      action: 'wallet-withdrawal.reject',
      next: {
        status: 'REJECTED',
        reason: words('Your bank took back'),
        fundsReturned: true,
        chargebackId: row!.chargebackId,
      },
    },
  ]);
  const mails = await owedMessages(own.db, 'reference = $1', [`payout:${payoutId}:rejected`]);
  expect(mails.map(({ text }) => text)).toEqual([words('Your bank took back a payment into your balance.')]);
  expect((await topUpState(own.db, one.userId)).mails).toEqual(['paid', 'taken-back']);
});

test('in part: what is not taken back stays in the wallet; a return gives back exactly what was taken', async () => {
  const one = await toppedUp();
  await requests(one, 70_00);
  const part = { amountMinor: 50_00 };
  await chargedBack('payment.charged_back', one, part);
  const taken = { walletMinor: 50_00, heldMinor: 0, payouts: ['REJECTED 7000'] };
  expect(await moneyOf(one)).toEqual(taken);
  await chargedBack('payment.charged_back', one, part);
  await chargedBack('payment.chargeback_lost', one, part);
  expect(await moneyOf(one)).toEqual(taken);
  await chargedBack('payment.chargeback_returned', one, part);
  expect(await moneyOf(one)).toEqual({ ...taken, walletMinor: 100_00 });
});

test('reports of it again leave the withdrawal that was requested since', async () => {
  const one = await toppedUp(60_00);
  await requests(one, 40_00);
  await chargedBack('payment.charged_back', one);
  const next = await requests(one, 60_00);
  await chargedBack('payment.charged_back', one);
  await chargedBack('payment.chargeback_lost', one);
  expect(await moneyOf(one)).toEqual({
    ...{ walletMinor: 0, heldMinor: 60_00, payouts: ['REJECTED 4000', 'PENDING 6000'] },
  });
  // All that was charged back is covered.
  expect([await decides.approve(one, next), await decides.process(one, next)]).toEqual([
    'APPROVED',
    'PROCESSING',
  ]);
});

test('a payout of a partner is no money of the wallet, and stays', async () => {
  const one = await toppedUp();
  const { id: partnerId } = await make.partner(own.db, { userId: one.userId });
  await make.commission(own.db, { partnerId, grossMinor: 40_00, status: 'APPROVED' });
  const payoutId = await requestedOf(one.steps, { kind: 'PARTNER', userId: one.userId });
  const { first } = await chargedBack('payment.charged_back', one);
  expect(first).not.toHaveProperty('withdrawalsEnded');
  expect((await moneyOf(one)).payouts).toEqual(['PENDING 4000']);
  expect(await decides.approve(one, payoutId)).toBe('APPROVED');
});

describe('on its way', () => {
  /** A withdrawal of all that is PROCESSING when the bank takes the top-up back. */
  async function onItsWay(mood: FakePayouts['mood'] = 'refuses') {
    const one = await toppedUp();
    const payoutId = await requests(one);
    for (const step of ['approve', 'process'] as const) await decides[step](one, payoutId);
    one.bank.mood = mood;
    return { ...one, payoutId, report: await chargedBack('payment.charged_back', one) };
  }

  test('it is left, and the person who decides about the loss is told of it', async () => {
    const { payoutId, report, ...one } = await onItsWay('sends');
    expect(report.first.outcome).toBe('APPLIED');
    expect(report.first).not.toHaveProperty('withdrawalsEnded');
    const left = words(`withdrawal ${payoutId} of 100.00 USD from the wallet is PROCESSING`);
    expect([report.first, report.again]).toEqual([
      expect.objectContaining({ toDecide: left }),
      expect.objectContaining({ toDecide: left }),
    ]);
    await one.steps.sendPayout({ payoutId, at: at() });
    expect((await moneyOf(one)).payouts).toEqual(['COMPLETED 10000']);
  });

  test('refused by its bank, it is not sent again, neither is the next one: also when the dispute is lost', async () => {
    const { payoutId, ...one } = await onItsWay();
    await one.steps.sendPayout({ payoutId, at: at() });
    expect((await moneyOf(one)).payouts).toEqual(['APPROVED 10000']);
    expect(await decides.process(one, payoutId)).toBe('TOP_UP_CHARGED_BACK');
    await decides.reject(one, payoutId, true);
    const next = await requests(one);
    expect(await decides.approve(one, next)).toBe('TOP_UP_CHARGED_BACK');
    await chargedBack('payment.chargeback_lost', one);
    expect(await decides.approve(one, next)).toBe('TOP_UP_CHARGED_BACK');
    expect(await moneyOf(one)).toMatchObject({ walletMinor: 0, heldMinor: TOP_UP_MINOR });
  });

  test('what an administrator forfeits settles the loss', async () => {
    const { payoutId, ...one } = await onItsWay();
    await one.steps.sendPayout({ payoutId, at: at() });
    expect(await decides.reject(one, payoutId, false)).toBe('REJECTED');
    await make.money(own.db, one.userId, 20_00);
    expect(await decides.approve(one, await requests(one, 20_00))).toBe('APPROVED');
  });

  test('returned, the next one is sent', async () => {
    const { payoutId, ...one } = await onItsWay();
    await one.steps.sendPayout({ payoutId, at: at() });
    await chargedBack('payment.chargeback_returned', one);
    expect(await moneyOf(one)).toMatchObject({ walletMinor: 0, heldMinor: TOP_UP_MINOR });
    expect(await decides.process(one, payoutId)).toBe('PROCESSING');
  });

  test('one that is APPROVED again, since its provider has refused it for certain, is ended', async () => {
    const { payoutId, ...one } = await onItsWay();
    await one.steps.sendPayout({ payoutId, at: at() });
    const more = await paid({ userId: one.userId });
    expect((await chargedBack('payment.charged_back', more)).first).toHaveProperty('withdrawalsEnded');
    expect((await moneyOf(one)).payouts).toEqual(['REJECTED 10000']);
  });

  test('one that is APPROVED again without the word of its provider is left: it may have been sent after all', async () => {
    const one = await toppedUp();
    const payoutId = await requests(one);
    for (const step of ['approve', 'process'] as const) await decides[step](one, payoutId);
    one.bank.mood = 'is not reached';
    await expect(one.steps.sendPayout({ payoutId, at: at() })).rejects.toThrow('not reached');
    one.bank.mood = 'sends';
    await one.steps.handOverPayout({ payoutId, at: at() });
    const refused = { ...(await decision(own.db, payoutId)), outcome: 'REFUSED' as const };
    expect(await outcomeOf(one.steps.completePayout(refused))).toBe('APPROVED');
    const { first } = await chargedBack('payment.charged_back', one);
    expect(first).not.toHaveProperty('withdrawalsEnded');
    expect(first).toMatchObject({
      toDecide: words(`withdrawal ${payoutId} of 100.00 USD from the wallet is APPROVED, may be on its way`),
    });
    one.bank.arrives({ key: `${payoutId}:1`, amountMinor: TOP_UP_MINOR });
    expect(await decides.reject(one, payoutId, true)).toBe('NOT_REJECTABLE');
    one.bank.forgets({ key: `${payoutId}:1` });
    expect(await decides.reject(one, payoutId, true)).toBe('REJECTED');
  });
});

test('a loss of another user stops nobody', async () => {
  const [one, other] = [await toppedUp(), await toppedUp()];
  const sent = await requests(other);
  for (const step of ['approve', 'process'] as const) await decides[step](other, sent);
  expect((await chargedBack('payment.charged_back', other)).first).toHaveProperty('toDecide');
  const payoutId = await requests(one);
  expect([await decides.approve(one, payoutId), await decides.process(one, payoutId)]).toEqual([
    'APPROVED',
    'PROCESSING',
  ]);
});

describe('at once with a step of the withdrawal', () => {
  /** Makes two changes wait for the lock of the owner, in this order, and answers both. */
  async function inOrder<A, B>({ userId }: ToppedUp, first: () => Promise<A>, second: () => Promise<B>) {
    const lock = await held(own.db, `SELECT 1 FROM users WHERE id = '${userId}' FOR NO KEY UPDATE`);
    const one = first();
    await waiting(own.db, 1);
    const other = second();
    await waiting(own.db, 2);
    await lock.release();
    return Promise.all([one, other]);
  }
  const takes = (one: ToppedUp) => () =>
    chargedBack('payment.charged_back', one).then(({ first }) => ('toDecide' in first ? 'LOSS' : 'COVERED'));
  const TAKEN = { walletMinor: 0, heldMinor: 0 };

  async function prepared(step: keyof typeof decides) {
    const one = await toppedUp();
    const payoutId = await requests(one);
    if (step === 'process') await decides.approve(one, payoutId);
    return {
      one,
      make: () => (step === 'reject' ? decides.reject(one, payoutId, true) : decides[step](one, payoutId)),
    };
  }

  test.each([
    ['approve', ['APPROVED', 'COVERED'], { ...TAKEN, payouts: ['REJECTED 10000'] }],
    ['reject', ['REJECTED', 'COVERED'], { ...TAKEN, payouts: ['REJECTED 10000'] }],
    ['cancel', ['CANCELLED', 'COVERED'], { ...TAKEN, payouts: ['CANCELLED 10000'] }],
    // The transfer may be on its way: a person decides.
    ['process', ['PROCESSING', 'LOSS'], { walletMinor: 0, heldMinor: 100_00, payouts: ['PROCESSING 10000'] }],
  ] as const)('%s comes before the chargeback', async (step, outcomes, money) => {
    const { one, make: decide } = await prepared(step);
    expect(await inOrder(one, decide, takes(one))).toEqual(outcomes);
    expect(await moneyOf(one)).toEqual(money);
  });

  test.each([
    ['approve', 'NOT_PENDING'],
    ['reject', 'NOT_REJECTABLE'],
    ['cancel', 'NOT_CANCELLABLE'],
    ['process', 'NOT_APPROVED'],
  ] as const)('%s comes after the chargeback', async (step, refusal) => {
    const { one, make: decide } = await prepared(step);
    expect(await inOrder(one, takes(one), decide)).toEqual(['COVERED', refusal]);
    expect(await moneyOf(one)).toEqual({ ...TAKEN, payouts: ['REJECTED 10000'] });
  });

  test('its request comes before the chargeback, and after it', async () => {
    const asks = (one: ToppedUp) => () =>
      requests(one).then(
        () => 'REQUESTED',
        (error: unknown) => refusalIn(error)?.code ?? String(error),
      );
    const [first, second] = [await toppedUp(), await toppedUp()];
    expect(await inOrder(first, asks(first), takes(first))).toEqual(['REQUESTED', 'COVERED']);
    expect(await moneyOf(first)).toEqual({ ...TAKEN, payouts: ['REJECTED 10000'] });
    expect(await inOrder(second, takes(second), asks(second))).toEqual(['COVERED', 'INSUFFICIENT_BALANCE']);
    expect(await moneyOf(second)).toEqual({ ...TAKEN, payouts: [] });
  });

  test('all at once, without an order: nothing is sent of what was taken', async () => {
    for (let round = 0; round < 4; round++) {
      const { one, make: decide } = await prepared(round % 2 === 0 ? 'approve' : 'cancel');
      const payoutId = (await firstRow<{ id: string }>(own.db, 'SELECT id FROM payouts WHERE user_id = $1', [
        one.userId,
      ]))!.id;
      await Promise.all([
        ...[decide(), decides.process(one, payoutId), decides.process(one, payoutId)],
        chargedBack('payment.charged_back', one),
      ]);
      await one.steps.sendPayout({ payoutId, at: at() });
      const { walletMinor, heldMinor } = await moneyOf(one);
      const { ledger } = await topUpState(own.db, one.userId);
      const takenMinor = Number(/wallet -(\d+)/.exec(ledger.join())?.[1] ?? 0);
      const sentMinor = one.bank.sent.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
      expect([walletMinor, heldMinor, takenMinor + sentMinor]).toEqual([0, 0, TOP_UP_MINOR]);
    }
  });
});
