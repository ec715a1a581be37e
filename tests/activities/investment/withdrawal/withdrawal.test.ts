import { v7 } from 'uuid';
import { matureWhenDue } from '../../../../activities/investment/participation/mature-participation';
import { requestWithdrawal } from '../../../../activities/investment/withdrawal/request-withdrawal';
import { withdrawalActivities } from '../../../../activities/investment/withdrawal/withdrawal.activities';
import { payoutProviders } from '../../../../activities/providers/payouts';
import { retentionRules } from '../../../../db/administration/retention/retention.rules';
import { forgetExpired } from '../../../../db/administration/retention/retention.transitions';
import { policyFrom } from '../../../../db/policy/config';
import { investedMinor } from '../../../../db/investment/participation/participation.transitions';
import { markTransferAsked } from '../../../../db/investment/withdrawal/withdrawal.transitions';
import { walletOf } from '../../../../db/ledger/wallet.reads';
import { execute, firstRow, rows } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { refusalIn } from '../../../../workflows/errors';
import { make } from '../../../support/builders/make';
import { given } from '../../../support/builders/given';
import { noteOf, orderSteps } from '../../../support/builders/ordering';
import {
  cardNote,
  moneyOf,
  sandboxTransfersOf,
  withdrawnByHand,
} from '../../../support/builders/investing/withdrawing';
import { restored } from '../../../support/builders/paying-out/restoring';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { providersConfigOf } from '../../../support/worlds/providers';

const own = ownDatabase();

const DAY_MS = 86_400_000;
const policy = policyFrom({});
const deps = () => ({
  db: own.db,
  payouts: payoutProviders(providersConfigOf(), own.db),
  policy,
});

/** A participation that matures now, and the request to withdraw it, which any number of callers may send. */
async function due() {
  const at = new Date();
  const { id: userId } = await make.user(own.db, { kycLevel: 'STANDARD' });
  const { id: strategyId } = await make.strategy(own.db, { lockDays: 0 });
  const { id: participationId } = await make.participation(own.db, {
    ...{ status: 'ACTIVE', userId, strategyId, durationDays: 30, at: new Date(at.getTime() - 30 * DAY_MS) },
  });
  const request = { participationId, userId, acceptPenalty: false, at: at.toISOString() };
  return { userId, participationId, request };
}

test('at the moment of its maturity it is paid out once, by one of the two', async () => {
  const ends = new Set<string>();
  for (let i = 0; i < 12; i++) {
    const { userId, request } = await due();
    const withdraw = () =>
      requestWithdrawal(deps(), {
        ...{ ...request, withdrawalId: v7(), method: 'BALANCE', detailsNoteId: null },
      });
    const mature = () => matureWhenDue(own.db, policy, request);
    const [first, second] = i % 2 === 0 ? [withdraw, mature] : [mature, withdraw];
    const outcomes = await Promise.allSettled([first(), second()]);
    const refused = outcomes.flatMap((one) =>
      one.status === 'rejected' ? [refusalIn(one.reason)?.code] : [],
    );
    const { participation, walletMinor } = await moneyOf(own.db, userId);
    expect(walletMinor).toBe(1_000_00);
    expect(refused).toEqual(participation === 'MATURED' ? ['ALREADY_MATURED'] : []);
    ends.add(participation);
  }
  expect([...ends].every((end) => end === 'MATURED' || end === 'WITHDRAWN')).toBe(true);
});

describe('a transfer', () => {
  async function withdrawn() {
    const { userId, request } = await due();
    const withdrawalId = v7();
    const detailsNoteId = await cardNote(own.db, { withdrawalId, userId });
    const state = await requestWithdrawal(deps(), {
      ...{ ...request, withdrawalId, method: 'BANK_CARD', detailsNoteId },
    });
    return { userId, withdrawalId, state };
  }
  const sendNow = (withdrawalId: string) =>
    withdrawalActivities(deps()).sendWithdrawal({ withdrawalId, at: new Date().toISOString() });

  test('is held of its owner until it has arrived, or is in the wallet', async () => {
    const [arriving, refused] = [await withdrawn(), await withdrawn()];
    const balanceOf = async (userId: string) => {
      const hold = await firstRow<{ minor: number }>(
        own.db,
        `SELECT balance_minor AS minor FROM ledger_balances WHERE user_id = $1 AND account = 'payout_hold'`,
        [userId],
      );
      const [{ availableMinor, heldMinor } = { availableMinor: -1, heldMinor: -1 }] = await walletOf(
        own.db,
        userId,
      );
      return { hold: hold?.minor ?? 0, availableMinor, heldMinor };
    };
    for (const { userId } of [arriving, refused])
      expect(await balanceOf(userId)).toEqual({
        ...{ hold: 1_000_00, availableMinor: 0, heldMinor: 1_000_00 },
      });
    expect(await sendNow(arriving.withdrawalId)).toBe('ENDED');
    expect(await balanceOf(arriving.userId)).toEqual({ hold: 0, availableMinor: 0, heldMinor: 0 });

    const byHand = withdrawalActivities({ ...deps(), payouts: { providers: new Map(), current: 'bank' } });
    const { withdrawalId } = refused;
    await execute(own.db, `UPDATE investment_withdrawals SET provider = 'bank' WHERE id = $1`, [
      withdrawalId,
    ]);
    const noteId = await noteOf(own.db, (await make.admin(own.db)).id, v7());
    await byHand.settleWithdrawal({ withdrawalId, noteId, outcome: 'REFUSED', at: new Date().toISOString() });
    expect(await balanceOf(refused.userId)).toEqual({ hold: 0, availableMinor: 1_000_00, heldMinor: 0 });
  });

  test('sent by eight at once arrives once and is booked once', async () => {
    const { userId, withdrawalId } = await withdrawn();
    const answers = await Promise.all(Array.from({ length: 8 }, () => sendNow(withdrawalId)));
    expect(new Set(answers)).toEqual(new Set(['ENDED']));
    expect(await moneyOf(own.db, userId)).toMatchObject({
      walletMinor: 0,
      withdrawals: ['COMPLETED 100000'],
    });
  });

  test('what was asked and by which key is committed before the provider is called', async () => {
    const { withdrawalId } = await withdrawn();
    let seen: unknown;
    const provider = {
      code: 'sandbox',
      ...{ methods: ['CARD' as const], certainAfterMs: 0, remembersForMs: null },
      async sendTransfer({ key }: { key: string }) {
        seen = await firstRow(
          own.db,
          `SELECT sendings, asked_at IS NOT NULL AS asked FROM investment_withdrawals WHERE id || ':1' = $1`,
          [key],
        );
        throw new Error('The connection broke.');
      },
      lookUpTransfer: () => Promise.resolve(null),
    };
    const payouts = { providers: new Map([['sandbox', provider]]), current: 'sandbox' };
    const { sendWithdrawal } = withdrawalActivities({ ...deps(), payouts });
    await expect(sendWithdrawal({ withdrawalId, at: new Date().toISOString() })).rejects.toThrow('broke');
    expect(seen).toEqual({ sendings: 1, asked: true });
    expect(await sendNow(withdrawalId)).toBe('ENDED');
  });

  test('of which another amount arrived is not booked: a person has to look at it', async () => {
    const { withdrawalId } = await withdrawn();
    const provider = {
      code: 'sandbox',
      ...{ methods: ['CARD' as const], certainAfterMs: 0, remembersForMs: null },
      sendTransfer: () => Promise.resolve({ status: 'accepted' } as const),
      lookUpTransfer: () => Promise.resolve({ status: 'arrived', transferId: v7(), amountMinor: 7 } as const),
    };
    const payouts = { providers: new Map([['sandbox', provider]]), current: 'sandbox' };
    const { sendWithdrawal, withdrawalState } = withdrawalActivities({ ...deps(), payouts });
    await expect(sendWithdrawal({ withdrawalId, at: new Date().toISOString() })).rejects.toThrow('7 arrived');
    expect(await withdrawalState({ withdrawalId })).toMatchObject({ status: 'PROCESSING' });
    expect(await sendNow(withdrawalId)).toBe('ENDED');
  });

  /** The sandbox has the transfer, its answer was lost, and an operator abandoned it: it stays with the sandbox. */
  async function abandoned() {
    const { userId, withdrawalId } = await withdrawn();
    const sandbox = deps().payouts.providers.get('sandbox')!;
    const deaf = {
      code: 'sandbox',
      ...{ methods: ['CARD' as const], certainAfterMs: 0, remembersForMs: null },
      async sendTransfer(order: Parameters<typeof sandbox.sendTransfer>[0]) {
        await sandbox.sendTransfer(order);
        throw new Error('The connection broke.');
      },
      lookUpTransfer: () => Promise.reject(new Error('The provider is away.')),
    };
    const away = { ...deps(), payouts: { providers: new Map([['sandbox', deaf]]), current: 'sandbox' } };
    const at = new Date().toISOString();
    await expect(withdrawalActivities(away).sendWithdrawal({ withdrawalId, at })).rejects.toThrow('broke');
    const kept = await withdrawalActivities(away).handOverWithdrawal({ withdrawalId, at });
    expect(kept).toContain('cannot say now');
    const noteId = await noteOf(own.db, (await make.admin(own.db)).id, `OUT-${v7()}`);
    return { userId, away, settlement: { withdrawalId, noteId, outcome: 'DONE' as const, at } };
  }

  test('that arrived after all is completed by that, and not settled by hand; twice, and by two at once', async () => {
    const { userId, settlement } = await abandoned();
    const { settleWithdrawal } = withdrawalActivities(deps());
    const noteId = await noteOf(own.db, (await make.admin(own.db)).id, `OUT-${v7()}`);
    const other = { ...settlement, noteId };
    const outcomes = await Promise.allSettled([settleWithdrawal(settlement), settleWithdrawal(other)]);
    expect(outcomes).toContainEqual({
      status: 'fulfilled',
      value: { status: 'COMPLETED', transfer: null, arrivedBy: 'sandbox' },
    });
    // Also when the answer was lost: a person who has sent it as well must learn of it.
    await expect(settleWithdrawal(settlement)).rejects.toThrow('had already arrived through sandbox');
    expect(await moneyOf(own.db, userId)).toMatchObject({
      walletMinor: 0,
      withdrawals: ['COMPLETED 100000'],
    });
    expect(await sandboxTransfersOf(own.db, userId)).toEqual([{ transfer: 'ARRIVED 100000' }]);
  });

  test('of which another amount arrived is completed by a person who names that transfer', async () => {
    const { userId, settlement } = await abandoned();
    const { withdrawalId } = settlement;
    const twice = {
      code: 'sandbox',
      ...{ methods: ['CARD' as const], certainAfterMs: 0, remembersForMs: null },
      sendTransfer: () => Promise.reject(new Error('Nothing is sent.')),
      lookUpTransfer: () =>
        Promise.resolve({ status: 'arrived', transferId: 'st_1', amountMinor: 2_000_00 } as const),
    };
    const { settleWithdrawal } = withdrawalActivities({
      ...deps(),
      payouts: { providers: new Map([['sandbox', twice]]), current: 'sandbox' },
    });
    await expect(settleWithdrawal(settlement)).rejects.toThrow(
      'sandbox has sent 2000.00 USD of this withdrawal. Give st_1 as the reference',
    );
    const noteId = await noteOf(own.db, (await make.admin(own.db)).id, 'st_1');
    await expect(settleWithdrawal({ ...settlement, noteId, outcome: 'REFUSED' })).rejects.toThrow(
      'Give st_1',
    );
    expect(await settleWithdrawal({ ...settlement, noteId })).toEqual({
      status: 'COMPLETED',
      transfer: null,
    });
    expect(await moneyOf(own.db, userId)).toMatchObject({ withdrawals: ['COMPLETED 100000'] });
    const [record] = await rows(own.db, 'SELECT next FROM audit_records WHERE entity_id = $1', [
      withdrawalId,
    ]);
    expect(record).toEqual({
      next: { status: 'COMPLETED', provider: 'sandbox', reference: 'st_1', arrivedMinor: 2_000_00 },
    });
  });

  test('waits while a difference with a provider stops payouts, but not one that was asked for', async () => {
    const [{ withdrawalId }, { settlement }] = [await withdrawn(), await abandoned()];
    const { id } = await make.difference(own.db);
    expect(await sendNow(withdrawalId)).toBe('STOPPED');
    expect(
      await firstRow(own.db, 'SELECT asked_at FROM investment_withdrawals WHERE id = $1', [withdrawalId]),
    ).toEqual({
      askedAt: null,
    });
    expect(await sendNow(settlement.withdrawalId)).toBe('ENDED');
    await execute(own.db, 'UPDATE reconciliation_differences SET resolved_at = now() WHERE id = $1', [id]);
    expect(await sendNow(withdrawalId)).toBe('ENDED');
  });

  test('waits after a restore until that is released, and is then sent once', async () => {
    const { userId, withdrawalId } = await withdrawn();
    const release = await restored(own);
    expect([await sendNow(withdrawalId), await sendNow(withdrawalId)]).toEqual(['STOPPED', 'STOPPED']);
    expect(await sandboxTransfersOf(own.db, userId)).toEqual([]);
    await release();
    expect([await sendNow(withdrawalId), await sendNow(withdrawalId)]).toEqual(['ENDED', 'ENDED']);
    expect(await sandboxTransfersOf(own.db, userId)).toEqual([{ transfer: 'ARRIVED 100000' }]);
  });

  test('is not settled by hand while its provider cannot say whether it arrived', async () => {
    const { away, settlement } = await abandoned();
    await expect(withdrawalActivities(away).settleWithdrawal(settlement)).rejects.toThrow(
      'sandbox cannot say now whether it has already sent this withdrawal',
    );
    await withdrawalActivities(deps()).settleWithdrawal(settlement);
  });

  test('that has ended keeps its account for ninety days; one on its way for as long as that takes', async () => {
    const [ended, open] = [await withdrawn(), await withdrawn()];
    await sendNow(ended.withdrawalId);
    const kept = () =>
      rows<{ id: string }>(
        own.db,
        'SELECT id FROM investment_withdrawals WHERE details IS NOT NULL AND id = ANY ($1) ORDER BY id',
        [[ended.withdrawalId, open.withdrawalId]],
      );
    const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);
    await forgetExpired(own.db, inDays(89), policy);
    expect(await kept()).toEqual([{ id: ended.withdrawalId }, { id: open.withdrawalId }]);
    await forgetExpired(own.db, inDays(91), policy);
    expect(await kept()).toEqual([{ id: open.withdrawalId }]);
    expect(retentionRules(new Date(), policy).map(({ kind }) => kind)).toContain('payoutDetails');
    await sendNow(open.withdrawalId);
  });

  test('a transfer is asked for only while it is open, and of the provider that has it', async () => {
    const { db } = own;
    const { withdrawalId: id } = await withdrawn();
    const ask = (provider: string) =>
      inTransaction(db, (tx) => markTransferAsked(tx, { id, provider }, new Date()));
    expect(await ask('stripe')).toBeNull();
    expect(await ask('sandbox')).toBe(1);
    expect(await sendNow(id)).toBe('ENDED');
    expect(await ask('sandbox')).toBeNull();
  });
});

test('one reference of our bank pays a withdrawal or a refund, also when both are settled at once', async () => {
  const at = new Date().toISOString();
  for (let round = 0; round < 5; round++) {
    const { refundId } = await given(own.db).order({ method: 'BANK_TRANSFER' }).paid().cancelled();
    const [withdrawalId, reference] = [await withdrawnByHand(own.db), v7()];
    // Two spellings that are one reference to a bank.
    const spelling = reference.toUpperCase().replace('-', ' - ');
    const { id: adminId } = await make.admin(own.db);
    const settleRefund = async (text: string) =>
      orderSteps(own.db).settleRefund({ refundId, noteId: await noteOf(own.db, adminId, text), at });
    const settleWithdrawal = async (text: string) => {
      const noteId = await noteOf(own.db, adminId, text);
      return withdrawalActivities(deps()).settleWithdrawal({ withdrawalId, noteId, outcome: 'DONE', at });
    };
    const both = [settleRefund, settleWithdrawal];
    const outcomes =
      round < 2
        ? [
            await Promise.allSettled([both[round]!(reference)]),
            await Promise.allSettled([both[1 - round]!(spelling)]),
          ].flat()
        : await Promise.allSettled([settleRefund(reference), settleWithdrawal(spelling)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [refused] = outcomes.flatMap((one) => (one.status === 'rejected' ? [refusalIn(one.reason)] : []));
    expect(refused).toMatchObject({ code: 'VALIDATION_ERROR', reason: 'TRANSFER_ALREADY_USED' });
  }
});

test('after all this everything holds', async () => {
  expect(await violations(own.db)).toEqual([]);
});

test('a penalty takes no more than a loss has left', async () => {
  const { db } = own;
  const { id: userId } = await make.user(db, { kycLevel: 'STANDARD' });
  const { id: strategyId } = await make.strategy(db, { lockDays: 60 });
  const { id: participationId } = await make.participation(db, {
    ...{ status: 'ACTIVE', userId, strategyId, durationDays: 90, at: new Date(Date.now() - 10 * DAY_MS) },
    profits: [{ amountMinor: -950_00 }],
  });
  await requestWithdrawal(deps(), {
    ...{ participationId, userId, acceptPenalty: true, at: new Date().toISOString() },
    ...{ withdrawalId: v7(), method: 'BALANCE', detailsNoteId: null },
  });
  expect((await moneyOf(db, userId)).walletMinor).toBe(0);
  expect(
    await firstRow(
      db,
      `SELECT sum(amount_minor)::int AS minor FROM ledger_entries
       WHERE account = 'penalties' AND transfer_id IN (SELECT transfer_id FROM ledger_entries WHERE account = 'investments')`,
    ),
  ).toEqual({ minor: 50_00 });
});

test('what was paid out of a running one makes room below the limit of a level', async () => {
  const { db } = own;
  const { id: userId } = await make.user(db, { kycLevel: 'STANDARD' });
  await make.participation(db, {
    ...{ status: 'ACTIVE', userId, amountMinor: 90_000_00, payouts: [{ amountMinor: 60_000_00 }] },
  });
  await make.participation(db, { userId, status: 'PENDING_PAYMENT', amountMinor: 1_000_00 });
  await make.participation(db, { userId, status: 'MATURED', amountMinor: 5_000_00 });
  expect(await inTransaction(db, (tx) => investedMinor(tx, userId))).toBe(31_000_00);
});
