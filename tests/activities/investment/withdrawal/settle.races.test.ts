import { v7 } from 'uuid';
import type { TransferFate } from '../../../../activities/providers/payouts/port';
import { rows } from '../../../../db/sql/query';
import { refusalIn } from '../../../../workflows/errors';
import { sentWithdrawal, withdrawalSteps } from '../../../support/builders/investing/sent-withdrawal';
import { moneyOf, withdrawnByHand } from '../../../support/builders/investing/withdrawing';
import { make } from '../../../support/builders/make';
import { noteOf } from '../../../support/builders/ordering';
import { violations } from '../../../support/checks/violations';
import { FakePayouts } from '../../../support/fakes/fake-payouts';
import { ownDatabase } from '../../../support/servers/database';

/** Everybody who may end a withdrawal, each on a connection of its own. */
const own = ownDatabase();
const at = () => new Date().toISOString();

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

const settles = async (
  { settleWithdrawal }: Pick<ReturnType<typeof withdrawalSteps>, 'settleWithdrawal'>,
  withdrawalId: string,
  outcome: 'DONE' | 'REFUSED',
) => {
  const noteId = await noteOf(own.db, (await make.admin(own.db)).id, v7());
  return () => settleWithdrawal({ withdrawalId, noteId, outcome, at: at() });
};

const codesOf = (outcomes: readonly PromiseSettledResult<unknown>[]) =>
  outcomes.map((one) => (one.status === 'fulfilled' ? 'done' : refusalIn(one.reason)?.code)).sort();

/** The refusals of a person who comes after another end, or whose look-up was overtaken by one. */
const TOO_LATE = ['ALREADY_SETTLED', 'CANNOT_SETTLE'];

/** The ends of a withdrawal in the ledger: each moves its net amount out of the hold. */
const effectsOf = (withdrawalId: string) =>
  rows<{ effect: string }>(
    own.db,
    `SELECT t.kind || ' ' || e.account || ' ' || e.amount_minor AS effect
       FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id
      WHERE t.kind IN ('withdrawal-arrival', 'withdrawal-credit') AND t.subject_id = $1 AND e.account <> 'payout_hold'`,
    [withdrawalId],
  ).then((found) => found.map(({ effect }) => effect));

test('one that a person sends, settled as DONE and as REFUSED by eight at once: it has one effect', async () => {
  const seen = new Set<string>();
  for (let round = 0; round < 6; round++) {
    const withdrawalId = await withdrawnByHand(own.db);
    const steps = withdrawalSteps(own.db, new FakePayouts());
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
    expect(['withdrawal-arrival clearing_bank 100000', 'withdrawal-credit wallet 100000']).toContain(effect);
});

test('one that its provider sends is settled by nobody before that says so, and then by its transfer alone', async () => {
  const { steps, withdrawalId, send, userId, bank } = await sentWithdrawal(own.db);
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
  for (const code of codesOf(late)) expect(['done', ...TOO_LATE]).toContain(code);
  // The first one books it: at most one person, who is told that it is the transfer of the provider.
  const settled = late.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  expect(settled.length).toBeLessThanOrEqual(1);
  for (const one of settled) expect(one).toMatchObject({ status: 'COMPLETED', arrivedBy: 'sandbox' });
  expect(await effectsOf(withdrawalId)).toEqual(['withdrawal-arrival clearing_sandbox 100000']);
  expect(bank.sent).toHaveLength(1);
  expect(await moneyOf(own.db, userId)).toMatchObject({ walletMinor: 0 });
});

test('one that is handed over while it arrives: the process, DONE and REFUSED at once have one effect', async () => {
  for (let round = 0; round < 6; round++) {
    const { bank, steps, userId, withdrawalId, send } = await sentWithdrawal(own.db);
    const [done, refused] = [
      await settles(steps, withdrawalId, 'DONE'),
      await settles(steps, withdrawalId, 'REFUSED'),
    ];
    bank.arrives(bank.sent[0]!);
    const handOver = () => steps.handOverWithdrawal({ withdrawalId, at: at() });
    const callers = [send, handOver, done, refused, send];
    const raced = await Promise.allSettled(callers.map((_, n) => callers[(n + round) % callers.length]!()));
    for (const code of codesOf(raced)) expect(['done', ...TOO_LATE]).toContain(code);
    // What was refused while its provider had it is settled once the process has given it up.
    const again = await Promise.allSettled([handOver(), done(), refused()]);
    expect(again[0]).toEqual({ status: 'fulfilled', value: null });
    for (const code of codesOf(again.slice(1))) expect(code).toBe('ALREADY_SETTLED');
    expect(await effectsOf(withdrawalId)).toEqual(['withdrawal-arrival clearing_sandbox 100000']);
    expect(await moneyOf(own.db, userId)).toMatchObject({
      walletMinor: 0,
      withdrawals: ['COMPLETED 100000'],
    });
    expect(bank.sent).toHaveLength(1);
  }
});

test('one that was handed over is not sent to the wallet while its provider has it under way', async () => {
  const { bank, steps, userId, withdrawalId } = await sentWithdrawal(own.db);
  await steps.handOverWithdrawal({ withdrawalId, at: at() });
  const refused = await settles(steps, withdrawalId, 'REFUSED');
  await expect(refused()).rejects.toMatchObject({ type: 'CANNOT_SETTLE' });
  expect(await moneyOf(own.db, userId)).toMatchObject({ walletMinor: 0 });
  const fate: TransferFate | null = await bank.lookUpTransfer(`${withdrawalId}:1`);
  expect(fate).toEqual({ status: 'under way' });
  bank.arrives(bank.sent[0]!);
  expect(await refused()).toMatchObject({ status: 'COMPLETED', arrivedBy: 'sandbox' });
  expect(await effectsOf(withdrawalId)).toEqual(['withdrawal-arrival clearing_sandbox 100000']);
});
