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
import { transferMove } from '../../../workflows/commerce/payout/transfer/transfer-moves.rules';
import { BY_HAND, type TransferProgress } from '../../../workflows/commerce/payout/transfer-out.rules';
import type { WithdrawalProviderActivities } from '../../../workflows/investment/withdrawal/withdrawal.contract';
import type { Payouts } from '../../providers/payouts';
import { fateToAbandon, ONLY_JUST_CHANGED, wordsOfOther } from '../../providers/payouts/abandon';
import {
  isSameAttempt,
  isWhole,
  openStateOf,
  unprovenAfter,
} from '../../providers/payouts/attempted-transfer';
import { keepLateArrival } from '../../providers/payouts/late-arrival';
import { lookUpAttempt } from '../../providers/payouts/look-up-attempt';
import { sendOut, type SentOut, type TransferToAsk, notBefore } from '../../providers/payouts/send-out';
import { whilePersonWaits } from '../../providers/while-person-waits';
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
  const fate = await sendOut(payouts, attemptOf(withdrawal), () => begin(db, withdrawal, at), new Date(at));
  if (fate === 'STOPPED') return 'STOPPED';
  if (fate?.status === 'under way') return 'UNDER_WAY';
  if (fate !== null) await record(db, withdrawalId, fate, at);
  return 'ENDED';
}

const isSentByProvider = (withdrawal: Withdrawal | null): withdrawal is SentWithdrawal =>
  withdrawal?.status === 'PROCESSING' && withdrawal.provider !== null && withdrawal.provider !== BY_HAND;

const attemptOf = (withdrawal: SentWithdrawal) => ({
  ...withdrawal,
  amountMinor: withdrawal.netMinor,
  name: 'withdrawal',
});

const begin = (db: Db, withdrawal: SentWithdrawal, at: string): Promise<TransferToAsk | 'STOPPED' | null> =>
  inTransaction(db, async (tx) => {
    if (await restoreIsUnreleased(tx)) return 'STOPPED';
    const { id, details } = withdrawal;
    if (details === null) throw new Error(`Withdrawal ${id} has no destination.`);
    const destination = openDestination(keysOf(tx), sealPurposes.investmentWithdrawal(id), details);
    const sendings = await markTransferAsked(tx, withdrawal, notBefore(at));
    return sendings === null ? null : { sendings, destination };
  });

const endOf = (fate: Exclude<SentOut, { status: 'under way' }>): WithdrawalEnd =>
  fate.status === 'arrived'
    ? { status: 'COMPLETED', transferReference: fate.transferId, provider: fate.provider }
    : { status: 'CREDITED', transferReference: null, refusedBecause: fate.reason };

/**
 * Books the outcome. A transfer that has arrived although it was ended otherwise, or left to a person meanwhile, is recorded as a
 * difference with its provider.
 */
const record = (
  db: Db,
  withdrawalId: string,
  fate: Exclude<SentOut, { status: 'under way' }>,
  at: string,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const withdrawal = await lockWithdrawal(tx, withdrawalId);
    if (isSentByProvider(withdrawal)) await endTransfer(tx, withdrawal, endOf(fate), new Date(at));
    else if (withdrawal && fate.status === 'arrived')
      await keepLateArrival(tx, withdrawal, fate, new Date(at));
  });

/**
 * Leaves a withdrawal that is on its way to a person, if it has certainly not been sent; what its provider has not begun is taken
 * back. Where it has ended, that is booked. Returns the words for an operator if it stays with its provider, which may send it;
 * null: it does not.
 */
export async function leaveWithdrawal(
  { db, payouts }: Pick<SendDeps, 'db' | 'payouts'>,
  { withdrawalId, at }: Send,
): Promise<string | null> {
  const before = await findWithdrawal(db, withdrawalId);
  if (!isSentByProvider(before)) return null;
  const attempt = attemptOf(before);
  const found = await lookUpAttempt(payouts, attempt, new Date(at), whilePersonWaits);
  return inTransaction(db, async (tx) => {
    const withdrawal = await lockWithdrawal(tx, withdrawalId);
    if (withdrawal === null) return null;
    const isOpen = isSentByProvider(withdrawal);
    if (!isOpen || !isSameAttempt(withdrawal, before)) {
      if (found.fate === 'SENT') await keepLateArrival(tx, withdrawal, found.arrived, new Date(at));
      return isOpen ? ONLY_JUST_CHANGED : null;
    }
    const fate = await fateToAbandon(tx, payouts, attempt, found, new Date(at));
    const to = transferMove('ABANDON', openStateOf(withdrawal), fate);
    if (to === 'SENT' && found.fate === 'SENT') {
      if (!isWhole(found.arrived, attempt)) return wordsOfOther(found.arrived, attempt);
      const end = endOf({ ...found.arrived, status: 'arrived' });
      await endTransfer(tx, withdrawal, end, new Date(at));
    } else if (to === 'FAILED' && found.fate === 'REFUSED')
      await endTransfer(tx, withdrawal, endOf({ status: 'refused', reason: found.reason }), new Date(at));
    else if (to === 'BY_HAND') await handOverTransfer(tx, withdrawalId, unprovenAfter(withdrawal, fate));
    else return found.fate === 'SENT' ? null : found.why.message;
    return null;
  });
}
