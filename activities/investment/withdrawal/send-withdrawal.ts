import { restoreIsUnreleased } from '../../../db/administration/restore/restore.reads';
import { openDestination } from '../../../db/commerce/payout/destination';
import {
  findWithdrawal,
  handOverTransfer,
  lockWithdrawal,
  markTransferAsked,
  type Withdrawal,
  type WithdrawalEnd,
} from '../../../db/investment/withdrawal/withdrawal.transitions';
import { keysOf } from '../../../db/sealing/keys-of';
import { sealPurposes } from '../../../db/sealing/purposes';
import { payoutsAreStopped } from '../../../db/commerce/reconciliation/payouts-stopped.reads';
import type { Policy } from '../../../db/policy/config';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { BY_HAND, type TransferProgress } from '../../../workflows/commerce/payout/transfer-out.rules';
import type { WithdrawalProviderActivities } from '../../../workflows/investment/withdrawal/withdrawal.contract';
import type { Payouts } from '../../providers/payouts';
import { takeBackForPerson } from '../../providers/payouts/arrived-before';
import type { TransferFate } from '../../providers/payouts/port';
import { sendOut, type TransferToAsk } from '../../providers/payouts/send-out';
import { endTransfer, type SentWithdrawal } from './end-transfer';

type Send = Parameters<WithdrawalProviderActivities['sendWithdrawal']>[0];

interface SendDeps {
  db: Db;
  payouts: Payouts;
  policy: Pick<Policy, 'reconciliationStopsPayouts'>;
}

/**
 * Sends the money of a withdrawal through its provider, or looks it up, and books what became of it. While payouts are
 * stopped, nothing new is sent: it waits; after a restore that is not released, nothing that is not known to be sent either.
 */
export async function sendWithdrawal(
  { db, payouts, policy }: SendDeps,
  { withdrawalId, at }: Send,
): Promise<TransferProgress> {
  const withdrawal = await findWithdrawal(db, withdrawalId);
  if (!isSentByProvider(withdrawal)) return 'ENDED';
  if (withdrawal.askedAt === null && (await payoutsAreStopped(db, policy))) return 'STOPPED';
  const transfer = { ...withdrawal, amountMinor: withdrawal.netMinor };
  const fate = await sendOut(payouts, transfer, () => begin(db, withdrawal, at));
  if (fate === 'STOPPED') return 'STOPPED';
  if (fate?.status === 'under way') return 'UNDER_WAY';
  if (fate !== null) await record(db, withdrawalId, endOf(fate), at);
  return 'ENDED';
}

const isSentByProvider = (withdrawal: Withdrawal | null): withdrawal is SentWithdrawal =>
  withdrawal?.status === 'PROCESSING' && withdrawal.provider !== null && withdrawal.provider !== BY_HAND;

const begin = (db: Db, withdrawal: SentWithdrawal, at: string): Promise<TransferToAsk | 'STOPPED' | null> =>
  inTransaction(db, async (tx) => {
    if (await restoreIsUnreleased(tx)) return 'STOPPED';
    const { id, details } = withdrawal;
    if (details === null) throw new Error(`Withdrawal ${id} has no destination.`);
    const destination = openDestination(keysOf(tx), sealPurposes.investmentWithdrawal(id), details);
    const sendings = await markTransferAsked(tx, withdrawal, new Date(at));
    return sendings === null ? null : { sendings, destination };
  });

const endOf = (fate: Exclude<TransferFate, { status: 'under way' }>): WithdrawalEnd =>
  fate.status === 'arrived'
    ? { status: 'COMPLETED', transferReference: fate.transferId }
    : { status: 'CREDITED', transferReference: null, refusedBecause: fate.reason };

/** Books the outcome, unless it was booked, or the money was left to a person meanwhile. */
const record = (db: Db, withdrawalId: string, end: WithdrawalEnd, at: string): Promise<void> =>
  inTransaction(db, async (tx) => {
    const withdrawal = await lockWithdrawal(tx, withdrawalId);
    if (isSentByProvider(withdrawal)) await endTransfer(tx, withdrawal, end, new Date(at));
  });

/**
 * Leaves a withdrawal that is on its way to a person, and takes its transfer back from a provider that has not begun it. One that
 * the provider may carry out, or has, stays with it: two would send it.
 */
export const leaveWithdrawal = (
  { db, payouts }: Pick<SendDeps, 'db' | 'payouts'>,
  { withdrawalId, at }: Send,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const withdrawal = await lockWithdrawal(tx, withdrawalId);
    if (!isSentByProvider(withdrawal)) return;
    if (await takeBackForPerson(tx, payouts, withdrawal, new Date(at)))
      await handOverTransfer(tx, withdrawalId);
  });
