import { v7 } from 'uuid';
import { requestWithdrawal } from '../../../../activities/investment/withdrawal/request-withdrawal';
import { withdrawalActivities } from '../../../../activities/investment/withdrawal/withdrawal.activities';
import type { TransferFate } from '../../../../activities/providers/payouts/port';
import { policyFrom } from '../../../../db/policy/config';
import { rows } from '../../../../db/sql/query';
import { refusalIn } from '../../../../workflows/errors';
import { cardNote, moneyOf, withdrawnByHand } from '../../../support/builders/investing/withdrawing';
import { make } from '../../../support/builders/make';
import { noteOf } from '../../../support/builders/ordering';
import { violations } from '../../../support/checks/violations';
import { FakePayouts } from '../../../support/fakes/fake-payouts';
import { ownDatabase } from '../../../support/servers/database';

/** Everybody who may end a withdrawal, each on a connection of its own. */
const own = ownDatabase();
const policy = policyFrom({});
const at = () => new Date().toISOString();

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

const activities = (bank: FakePayouts) =>
  withdrawalActivities({
    db: own.db,
    payouts: { providers: new Map([[bank.code, bank]]), current: bank.code },
    policy,
  });

/** A withdrawal to a card that its provider accepts and says no more of. */
async function underWay() {
  const bank = new FakePayouts();
  bank.mood = 'is silent';
  const steps = activities(bank);
  const { id: userId } = await make.user(own.db, { kycLevel: 'STANDARD' });
  const { id: strategyId } = await make.strategy(own.db, { lockDays: 0 });
  const { id: participationId } = await make.participation(own.db, { status: 'ACTIVE', userId, strategyId });
  const withdrawalId = v7();
  const detailsNoteId = await cardNote(own.db, { withdrawalId, userId });
  await requestWithdrawal(
    {
      ...{ db: own.db, policy },
      payouts: { providers: new Map([[bank.code, bank]]), current: bank.code },
    },
    {
      ...{ withdrawalId, participationId, userId, method: 'BANK_CARD', detailsNoteId },
      ...{ acceptPenalty: false, at: at() },
    },
  );
  const send = () => steps.sendWithdrawal({ withdrawalId, at: at() });
  expect(await send()).toBe('UNDER_WAY');
  return { bank, steps, userId, withdrawalId, send };
}

const settles = async (
  { settleWithdrawal }: Pick<ReturnType<typeof activities>, 'settleWithdrawal'>,
  withdrawalId: string,
  outcome: 'DONE' | 'REFUSED',
) => {
  const noteId = await noteOf(own.db, (await make.admin(own.db)).id, v7());
  return () => settleWithdrawal({ withdrawalId, noteId, outcome, at: at() });
};

const codesOf = (outcomes: readonly PromiseSettledResult<unknown>[]) =>
  outcomes.map((one) => (one.status === 'fulfilled' ? 'done' : refusalIn(one.reason)?.code)).sort();

/** The ends of a withdrawal in the ledger: each moves its net amount out of `payouts`. */
const effectsOf = (withdrawalId: string) =>
  rows<{ effect: string }>(
    own.db,
    `SELECT split_part(t.reference, ':', 3) || ' ' || e.account || ' ' || e.amount_minor AS effect
       FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id
      WHERE t.reference LIKE 'withdrawal:' || $1::text || ':%' AND e.account <> 'payouts'`,
    [withdrawalId],
  ).then((found) => found.map(({ effect }) => effect));

test('one that a person sends, settled as DONE and as REFUSED by eight at once: it has one effect', async () => {
  const seen = new Set<string>();
  for (let round = 0; round < 6; round++) {
    const withdrawalId = await withdrawnByHand(own.db);
    const steps = activities(new FakePayouts());
    const settlements: (() => Promise<unknown>)[] = [];
    for (let n = 0; n < 8; n++)
      settlements.push(await settles(steps, withdrawalId, (n + round) % 2 === 0 ? 'DONE' : 'REFUSED'));
    const outcomes = await Promise.allSettled(settlements.map((settle) => settle()));
    expect(codesOf(outcomes)).toEqual([...Array<string>(7).fill('ALREADY_SETTLED'), 'done']);
    const effects = await effectsOf(withdrawalId);
    expect(effects).toHaveLength(1);
    seen.add(effects[0]!);
  }
  for (const effect of seen)
    expect(['arrived clearing_bank 100000', 'credited wallet 100000']).toContain(effect);
});

test('one that its provider sends is settled by nobody before that says so, and then by its transfer alone', async () => {
  const { steps, withdrawalId, send, userId, bank } = await underWay();
  const [done, refused] = [
    await settles(steps, withdrawalId, 'DONE'),
    await settles(steps, withdrawalId, 'REFUSED'),
  ];
  const outcomes = await Promise.allSettled([done(), refused(), send(), send()]);
  expect(codesOf(outcomes)).toEqual(['CANNOT_SETTLE', 'CANNOT_SETTLE', 'done', 'done']);
  expect(await effectsOf(withdrawalId)).toEqual([]);
  bank.arrives(bank.sent[0]!);
  const sends = Promise.allSettled([send(), send()]);
  const late = await Promise.allSettled([done(), refused()]);
  expect(codesOf(await sends)).toEqual(['done', 'done']);
  // The first one books it: at most one person, who is told that it is the transfer of the provider.
  const settled = late.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  expect(settled.length).toBeLessThanOrEqual(1);
  for (const one of settled) expect(one).toMatchObject({ status: 'COMPLETED', arrivedBy: 'sandbox' });
  expect(await effectsOf(withdrawalId)).toEqual(['arrived clearing_sandbox 100000']);
  expect(bank.sent).toHaveLength(1);
  expect(await moneyOf(own.db, userId)).toMatchObject({ walletMinor: 0 });
});

test('one that is handed over while it arrives: the process, DONE and REFUSED at once have one effect', async () => {
  for (let round = 0; round < 6; round++) {
    const { bank, steps, userId, withdrawalId, send } = await underWay();
    const [done, refused] = [
      await settles(steps, withdrawalId, 'DONE'),
      await settles(steps, withdrawalId, 'REFUSED'),
    ];
    bank.arrives(bank.sent[0]!);
    const handOver = () => steps.handOverWithdrawal({ withdrawalId, at: at() });
    const callers = [send, handOver, done, refused, send];
    await Promise.allSettled(callers.map((_, n) => callers[(n + round) % callers.length]!()));
    // What was refused while its provider had it is settled once the process has given it up.
    await Promise.allSettled([handOver(), done(), refused()]);
    expect(await effectsOf(withdrawalId)).toEqual(['arrived clearing_sandbox 100000']);
    expect(await moneyOf(own.db, userId)).toMatchObject({
      walletMinor: 0,
      withdrawals: ['COMPLETED 100000'],
    });
    expect(bank.sent).toHaveLength(1);
  }
});

test('one that was handed over is not sent to the wallet while its provider has it under way', async () => {
  const { bank, steps, userId, withdrawalId } = await underWay();
  await steps.handOverWithdrawal({ withdrawalId, at: at() });
  const refused = await settles(steps, withdrawalId, 'REFUSED');
  await expect(refused()).rejects.toMatchObject({ type: 'CANNOT_SETTLE' });
  expect(await moneyOf(own.db, userId)).toMatchObject({ walletMinor: 0 });
  const fate: TransferFate | null = await bank.lookUpTransfer(withdrawalId);
  expect(fate).toEqual({ status: 'under way' });
  bank.arrives(bank.sent[0]!);
  expect(await refused()).toMatchObject({ status: 'COMPLETED', arrivedBy: 'sandbox' });
  expect(await effectsOf(withdrawalId)).toEqual(['arrived clearing_sandbox 100000']);
});
