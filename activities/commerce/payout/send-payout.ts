import { restoreIsUnreleased } from '../../../db/administration/restore/restore.reads';
import { openDestination } from '../../../db/commerce/payout/destination';
import {
  findPayout,
  handOverPayout,
  lockPayout,
  markPayoutAsked,
  type PayoutRow,
} from '../../../db/commerce/payout/payout.transitions';
import { keysOf } from '../../../db/sealing/keys-of';
import { sealPurposes } from '../../../db/sealing/purposes';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { PayoutProviderActivities } from '../../../workflows/commerce/payout/payout.contract';
import { transferMove } from '../../../workflows/commerce/payout/transfer/transfer-moves.rules';
import { BY_HAND, type TransferProgress } from '../../../workflows/commerce/payout/transfer-out.rules';
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
import { completeTransfer, refuseTransfer } from './end-transfer';

type Send = Parameters<PayoutProviderActivities['sendPayout']>[0];
type SentPayout = PayoutRow & { provider: string };

/**
 * Sends the money of a payout through its provider, or looks it up, and books what became of it. After a restore that is not
 * released nothing is sent: it waits.
 */
export async function sendPayout(
  { db, payouts }: { db: Db; payouts: Payouts },
  { payoutId, at }: Send,
): Promise<TransferProgress> {
  const payout = await findPayout(db, payoutId);
  if (!isSentByProvider(payout)) return 'ENDED';
  const transfer = { ...payout, name: 'payout' };
  const fate = await sendOut(payouts, transfer, () => begin(db, payout, at), new Date(at));
  if (fate === 'STOPPED') return 'STOPPED';
  if (fate?.status === 'under way') return 'UNDER_WAY';
  if (fate !== null) await record(db, payout, fate, at);
  return 'ENDED';
}

const isSentByProvider = (payout: PayoutRow | null): payout is SentPayout =>
  payout?.status === 'PROCESSING' && payout.provider !== null && payout.provider !== BY_HAND;

const begin = (db: Db, payout: SentPayout, at: string): Promise<TransferToAsk | 'STOPPED' | null> =>
  inTransaction(db, async (tx) => {
    if (await restoreIsUnreleased(tx)) return 'STOPPED';
    const { id, details } = payout;
    if (details === null) throw new Error(`Payout ${id} has no destination.`);
    const destination = openDestination(keysOf(tx), sealPurposes.payoutDestination(id), details);
    const sendings = await markPayoutAsked(tx, payout, notBefore(at));
    return sendings === null ? null : { sendings, destination };
  });

/**
 * Books the outcome of a transfer. One that has arrived although it was ended otherwise, was left to a person, or another transfer
 * began meanwhile, is recorded as a difference with its provider.
 */
const record = (
  db: Db,
  sent: SentPayout,
  fate: Exclude<SentOut, { status: 'under way' }>,
  at: string,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const payout = await lockPayout(tx, sent.id);
    if (payout === null) return;
    const isOpen = isSentByProvider(payout) && payout.provider === sent.provider;
    if (!isOpen || payout.sendings !== sent.sendings) {
      if (fate.status === 'arrived') await keepLateArrival(tx, payout, fate, new Date(at));
    } else if (fate.status === 'arrived')
      await completeTransfer(
        tx,
        payout,
        { provider: fate.provider, transferReference: fate.transferId },
        new Date(at),
      );
    else await refuseTransfer(tx, payout, { reason: fate.reason, fate: 'REFUSED' });
  });

/**
 * Leaves a payout that is on its way to a person, if it has certainly not been sent; what its provider has not begun is taken back.
 * Where it has ended, that is booked. Returns the words for an operator if it stays with its provider, which may send it; null: it
 * does not.
 */
export async function leavePayout(
  { db, payouts }: { db: Db; payouts: Payouts },
  { payoutId, at }: Send,
): Promise<string | null> {
  const before = await findPayout(db, payoutId);
  if (!isSentByProvider(before)) return null;
  const attempt = { ...before, name: 'payout' };
  const found = await lookUpAttempt(payouts, attempt, new Date(at), whilePersonWaits);
  return inTransaction(db, async (tx) => {
    const payout = await lockPayout(tx, payoutId);
    if (payout === null) return null;
    const isOpen = isSentByProvider(payout);
    if (!isOpen || !isSameAttempt(payout, before)) {
      if (found.fate === 'SENT') await keepLateArrival(tx, payout, found.arrived, new Date(at));
      return isOpen ? ONLY_JUST_CHANGED : null;
    }
    const fate = await fateToAbandon(tx, payouts, attempt, found, new Date(at));
    const to = transferMove('ABANDON', openStateOf(payout), fate);
    if (to === 'SENT' && found.fate === 'SENT') {
      if (!isWhole(found.arrived, payout)) return wordsOfOther(found.arrived, attempt);
      const { provider, transferId: transferReference } = found.arrived;
      await completeTransfer(tx, payout, { provider, transferReference }, new Date(at));
    } else if (to === 'FAILED' && found.fate === 'REFUSED') await refuseTransfer(tx, payout, found);
    else if (to === 'BY_HAND') await handOverPayout(tx, payoutId, unprovenAfter(payout, fate));
    else return found.fate === 'SENT' ? null : found.why.message;
    return null;
  });
}
