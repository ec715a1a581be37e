import { v7 } from 'uuid';
import { payoutActivities } from '../../../../activities/commerce/payout/payout.activities';
import { withdrawalActivities } from '../../../../activities/investment/withdrawal/withdrawal.activities';
import { payoutProviders } from '../../../../activities/providers/payouts';
import { makeBankFile } from '../../../../api/admin/bank-files/make.command';
import { storeNote } from '../../../../db/administration/idempotency/request-note.writes';
import { sealDestination } from '../../../../db/commerce/payout/destination';
import { policyFrom } from '../../../../db/policy/config';
import { sealPurposes } from '../../../../db/sealing/purposes';
import { execute, firstRow, type Db } from '../../../../db/sql/query';
import { transferKey } from '../../../../workflows/commerce/payout/transfer-out.rules';
import { providersConfigOf } from '../../worlds/providers';
import { testKeys } from '../../worlds/variables';
import { IBAN } from '../investing/withdrawing';
import { make } from '../make';
import { at, decision } from '../paying-out/payees';
import { debtor } from './bank-files';

const toBank = { method: 'BANK_TRANSFER', accountHolder: 'Ada Lovelace', iban: IBAN } as const;

/** The steps of payouts and withdrawals where bank files send them. */
export function stepsByFile(db: Db, variables: Record<string, string> = {}) {
  const payouts = payoutProviders(providersConfigOf({ PAYOUT_PROVIDER: 'bank-file' }), db);
  const deps = { db, payouts, policy: policyFrom(variables) };
  return { ...payoutActivities(deps), ...withdrawalActivities(deps) };
}

/** A withdrawal of 40.00 EUR from a wallet whose transfer is collected for a bank file. */
export async function collectedPayout(
  db: Db,
  { userId, processedBy }: { userId?: string; processedBy?: string } = {},
): Promise<string> {
  const steps = stepsByFile(db);
  const owner = userId ?? (await make.user(db, { kycLevel: 'STANDARD' })).id;
  await execute(
    db,
    `UPDATE users SET payout_method = 'BANK_TRANSFER', payout_masked = '•••• 3000', payout_sealed = $2,
       payout_changed_at = now() WHERE id = $1`,
    [owner, sealDestination(testKeys, sealPurposes.payoutDetails(owner), toBank)],
  );
  await make.money(db, owner, 100_00, 'wallet', 'EUR');
  const payoutId = v7();
  const request = { kind: 'WALLET', amountMinor: 40_00, currency: 'EUR' } as const;
  await steps.requestPayout({ ...request, payoutId, userId: owner, at: at() });
  await steps.approvePayout(await decision(db, payoutId));
  await steps.processPayout(
    await decision(db, payoutId, processedBy === undefined ? {} : { by: processedBy }),
  );
  if ((await steps.sendPayout({ payoutId, at: at() })) !== 'UNDER_WAY')
    throw new Error('It is not under way.');
  return payoutId;
}

/** A withdrawal of a participation of 1,000 EUR whose transfer is collected for a bank file. */
export async function collectedWithdrawal(
  db: Db,
  owner?: string,
): Promise<{ withdrawalId: string; userId: string; participationId: string }> {
  const steps = stepsByFile(db);
  const userId = owner ?? (await make.user(db, { kycLevel: 'STANDARD' })).id;
  const { id: strategyId } = await make.strategy(db, { lockDays: 0, currency: 'EUR' });
  const { id: participationId } = await make.participation(db, { status: 'ACTIVE', userId, strategyId });
  const [withdrawalId, detailsNoteId] = [v7(), v7()];
  const sealed = sealDestination(testKeys, sealPurposes.investmentWithdrawal(withdrawalId), toBank);
  await storeNote(db, detailsNoteId, { actorId: userId, clientAddress: '', text: sealed.toString('base64') });
  await steps.requestWithdrawal({
    ...{ withdrawalId, participationId, userId, detailsNoteId },
    ...{ method: 'BANK_TRANSFER', acceptPenalty: false, at: at() },
  });
  if ((await steps.sendWithdrawal({ withdrawalId, at: at() })) !== 'UNDER_WAY')
    throw new Error('It is not under way.');
  return { withdrawalId, userId, participationId };
}

/** The transfer of an attempt: `STATUS`, and the reason of one that is refused; null when there is none. */
export const transferOf = async (db: Db, subjectId: string, attempt = 1): Promise<string | null> =>
  (
    await firstRow<{ standing: string }>(
      db,
      `SELECT concat_ws(' ', status, refused_because) AS standing FROM bank_file_transfers WHERE key = $1`,
      [transferKey(subjectId, attempt)],
    )
  )?.standing ?? null;

/** Makes a file of all that is collected, by an administrator; answers its id. */
export async function makesFile(db: Db, by?: string): Promise<string> {
  const fileId = v7();
  const actorId = by ?? (await make.admin(db)).id;
  await makeBankFile(db, fileId, debtor, { actorId, clientAddress: '127.0.0.1' });
  return fileId;
}
