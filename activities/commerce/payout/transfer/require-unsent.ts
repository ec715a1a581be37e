import { findPayout, type PayoutRow } from '../../../../db/commerce/payout/payout.transitions';
import type { Db } from '../../../../db/sql/query';
import {
  transferMove,
  type TransferCommand,
} from '../../../../workflows/commerce/payout/transfer/transfer-moves.rules';
import { refusal } from '../../../../workflows/errors';
import type { Payouts } from '../../../providers/payouts';
import { lookUpAttempt, refusedFor, type FoundAttempt } from '../../../providers/payouts/look-up-attempt';
import { whilePersonWaits } from '../../../providers/while-person-waits';
import type { Making } from '../make-decision';

/** An approved payout before it was locked, and the fate of its attempts at providers. */
export interface LookedUpApproved {
  before: PayoutRow;
  found: FoundAttempt;
}

/** Looks up the attempts of an approved payout, before a decision after which nothing may have been sent; null: it is not approved. */
export async function lookUpApproved(
  { db, payouts }: { db: Db; payouts: Payouts },
  { payoutId, at }: { payoutId: string; at: string },
): Promise<LookedUpApproved | null> {
  const before = await findPayout(db, payoutId);
  if (before?.status !== 'APPROVED') return null;
  const attempt = { ...before, name: 'payout' };
  return { before, found: await lookUpAttempt(payouts, attempt, new Date(at), whilePersonWaits) };
}

/**
 * Refuses a decision on an approved payout, unless all its attempts have certainly not been sent: CANNOT_SETTLE where a provider may
 * still send it, or cannot say, and `sentBy` where it has sent it after all. One that is PENDING has none.
 */
export function requireUnsent(
  { payout }: Making,
  lookedUp: LookedUpApproved | null,
  command: Extract<TransferCommand, 'CANCEL' | 'PROCESS_BY_HAND'>,
  sentBy: (provider: string) => Error,
): void {
  if (payout.status !== 'APPROVED') return;
  const found = foundNow(payout, lookedUp);
  if (transferMove(command, 'FAILED', found.fate) !== null) return;
  if (found.fate !== 'SENT') throw refusedFor(found.why);
  throw sentBy(found.arrived.provider);
}

/** The result of the look-up of an approved payout; refused if another attempt has begun or ended since. */
export function foundNow(payout: PayoutRow, lookedUp: LookedUpApproved | null): FoundAttempt {
  if (lookedUp === null || lookedUp.before.sendings !== payout.sendings)
    throw refusal('CANNOT_SETTLE', 'This payout has only just changed. Try again.');
  return lookedUp.found;
}
