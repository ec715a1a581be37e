import { v7 } from 'uuid';
import { withdrawalActivities } from '../../../../activities/investment/withdrawal/withdrawal.activities';
import { policyFrom } from '../../../../db/policy/config';
import type { Db } from '../../../../db/sql/query';
import { FakePayouts } from '../../fakes/fake-payouts';
import { make } from '../make';
import { cardNote } from './withdrawing';

/** The steps of withdrawals at a bank, without processes. */
export const withdrawalSteps = (db: Db, bank: FakePayouts) =>
  withdrawalActivities({
    db,
    payouts: { providers: new Map([[bank.code, bank]]), current: bank.code },
    policy: policyFrom({}),
  });

/** A withdrawal to a card that its provider accepts and says no more of. */
export async function sentWithdrawal(db: Db) {
  const bank = new FakePayouts();
  bank.mood = 'is silent';
  const steps = withdrawalSteps(db, bank);
  const { id: userId } = await make.user(db, { kycLevel: 'STANDARD' });
  const { id: strategyId } = await make.strategy(db, { lockDays: 0 });
  const { id: participationId } = await make.participation(db, { status: 'ACTIVE', userId, strategyId });
  const withdrawalId = v7();
  const detailsNoteId = await cardNote(db, { withdrawalId, userId });
  const at = () => new Date().toISOString();
  await steps.requestWithdrawal({
    ...{ withdrawalId, participationId, userId, method: 'BANK_CARD', detailsNoteId },
    ...{ acceptPenalty: false, at: at() },
  });
  const send = () => steps.sendWithdrawal({ withdrawalId, at: at() });
  expect(await send()).toBe('UNDER_WAY');
  return { bank, steps, userId, withdrawalId, send };
}
