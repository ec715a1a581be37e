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
import { BY_HAND, type TransferProgress } from '../../../workflows/commerce/payout/transfer-out.rules';
import type { Payouts } from '../../providers/payouts';
import { takeBackForPerson } from '../../providers/payouts/arrived-before';
import type { TransferFate } from '../../providers/payouts/port';
import { sendOut, type TransferToAsk } from '../../providers/payouts/send-out';
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
  const fate = await sendOut(payouts, payout, () => begin(db, payout, at));
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
    const sendings = await markPayoutAsked(tx, payout, new Date(at));
    return sendings === null ? null : { sendings, destination };
  });

/** Books the outcome of a transfer, unless it was booked, was left to a person, or another transfer began meanwhile. */
const record = (
  db: Db,
  { id, provider, sendings }: SentPayout,
  fate: Exclude<TransferFate, { status: 'under way' }>,
  at: string,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const payout = await lockPayout(tx, id);
    if (!isSentByProvider(payout) || payout.provider !== provider || payout.sendings !== sendings) return;
    if (fate.status === 'arrived')
      await completeTransfer(tx, payout, { provider, transferReference: fate.transferId }, new Date(at));
    else await refuseTransfer(tx, payout, { reason: fate.reason, isByProvider: true });
  });

/**
 * Leaves a payout that is on its way to a person, and takes its transfer back from a provider that has not begun it. One that the
 * provider may carry out, or has, stays with it: two would send it.
 */
export const leavePayout = (
  { db, payouts }: { db: Db; payouts: Payouts },
  { payoutId, at }: Send,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const payout = await lockPayout(tx, payoutId);
    if (!isSentByProvider(payout) || !(await takeBackForPerson(tx, payouts, payout, new Date(at)))) return;
    await handOverPayout(tx, payoutId);
  });
