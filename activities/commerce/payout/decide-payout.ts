import { findPayout, movePayout } from '../../../db/commerce/payout/payout.transitions';
import type { PayoutActivities, PayoutState } from '../../../workflows/commerce/payout/payout.contract';
import { refusal } from '../../../workflows/errors';
import { arrivedBefore, takeBackUnsent } from '../../providers/payouts/arrived-before';
import { endUnsentPayout } from './end-unsent-payout';
import { auditPayout, keepAction, makeDecision, type Making } from './make-decision';
import { queuePayoutMail } from './queue-payout-mail';
import type { PayoutDeps } from './request-payout';
import { requireTopUpsCovered } from './chargeback/require-top-ups-covered';

type Approve = Parameters<PayoutActivities['approvePayout']>[0];
type Reject = Parameters<PayoutActivities['rejectPayout']>[0];
type Cancel = Parameters<PayoutActivities['cancelPayout']>[0];

/**
 * Approves a payout that is PENDING. Refused: NOT_PENDING, FORBIDDEN (an own payout, and a withdrawal while a bank has taken
 * back more of its owner's top-ups than the wallet held).
 */
export const approvePayout = (deps: PayoutDeps, decision: Approve): Promise<PayoutState> =>
  makeDecision(deps, decision, { action: 'APPROVE' }, async (tx, making) => {
    const { payout, actorId, text, at } = making;
    await requireTopUpsCovered(tx, payout);
    await movePayout(tx, payout, { status: 'APPROVED', approvedBy: actorId, approvedAt: at });
    await keepAction(tx, making, 'APPROVE');
    await auditPayout(tx, making, 'approve', { status: 'APPROVED', note: text });
  });

/**
 * Rejects a payout of which nothing was sent; its amount goes back, or is forfeited. Refused: NOT_REJECTABLE, FORBIDDEN,
 * CANNOT_SETTLE (a provider may still send it).
 */
export async function rejectPayout(deps: PayoutDeps, decision: Reject): Promise<PayoutState> {
  const askedAt = await requireUnsent(deps, decision, 'NOT_REJECTABLE');
  return makeDecision(deps, decision, { action: 'REJECT' }, async (tx, making) => {
    requireSameAsked(making, askedAt);
    const { payout, actorId, text: reason, at } = making;
    const { returnsFunds } = decision;
    await takeBackUnsent(tx, deps.payouts, payout, { outcome: 'REFUSED', at });
    const end = { status: 'REJECTED', reason: reason ?? '', returnsFunds } as const;
    await endUnsentPayout(tx, payout, { ...end, by: { decidedBy: actorId } }, at);
    await keepAction(tx, making, 'REJECT');
    await queuePayoutMail(tx, making.payout, 'REJECTED', { reason, fundsReturned: returnsFunds });
    await auditPayout(tx, making, 'reject', { status: 'REJECTED', reason, fundsReturned: returnsFunds });
  });
}

/**
 * Cancels a payout of which nothing was sent; its amount goes back. An owner cancels a PENDING one only, and gets no mail.
 * Refused: NOT_CANCELLABLE, FORBIDDEN, CANNOT_SETTLE (a provider may still send it).
 */
export async function cancelPayout(deps: PayoutDeps, decision: Cancel): Promise<PayoutState> {
  const askedAt = await requireUnsent(deps, decision, 'NOT_CANCELLABLE');
  return makeDecision(deps, decision, { action: 'CANCEL', byOwner: decision.byOwner }, async (tx, making) => {
    requireSameAsked(making, askedAt);
    const { payout, actorId, at } = making;
    const reason = decision.byOwner ? null : making.text;
    await takeBackUnsent(tx, deps.payouts, payout, { outcome: 'REFUSED', at });
    const end = { status: 'CANCELLED', reason, returnsFunds: true } as const;
    await endUnsentPayout(tx, payout, { ...end, by: { decidedBy: actorId } }, at);
    await keepAction(tx, making, 'CANCEL');
    if (decision.byOwner) return;
    await queuePayoutMail(tx, making.payout, 'CANCELLED', { reason, fundsReturned: true });
    await auditPayout(tx, making, 'cancel', { status: 'CANCELLED', reason });
  });
}

/**
 * Refuses to end an approved payout whose transfer a provider was asked for and may have carried out, although a person has
 * reported a refusal since. Answers the time at which it was asked; null: the outcome of its transfers is certain.
 */
async function requireUnsent(
  { db, payouts }: PayoutDeps,
  { payoutId }: { payoutId: string },
  code: 'NOT_REJECTABLE' | 'NOT_CANCELLABLE',
): Promise<Date | null> {
  const payout = await findPayout(db, payoutId);
  if (payout?.status !== 'APPROVED' || payout.askedAt === null) return null;
  const arrived = await arrivedBefore(payouts, { ...payout, name: 'payout' }, 'REFUSED');
  if (arrived !== null)
    throw refusal(
      code,
      `${arrived.provider} has sent this payout after all. Have it sent: it is completed then, and nothing is sent twice.`,
    );
  return payout.askedAt;
}

/** Refuses to end another transfer than the one that was looked up. */
function requireSameAsked({ payout: { askedAt } }: Making, lookedUp: Date | null): void {
  if (askedAt !== null && askedAt.getTime() !== lookedUp?.getTime())
    throw refusal('CANNOT_SETTLE', 'This payout has only just changed. Try again.');
}
