import { movePayout } from '../../../db/commerce/payout/payout.transitions';
import type { PayoutActivities, PayoutState } from '../../../workflows/commerce/payout/payout.contract';
import { refusal } from '../../../workflows/errors';
import { endUnsentPayout } from './end-unsent-payout';
import { auditPayout, keepAction, makeDecision } from './make-decision';
import { queuePayoutMail } from './queue-payout-mail';
import type { PayoutDeps } from './request-payout';
import { requireTopUpsCovered } from './chargeback/require-top-ups-covered';
import { lookUpApproved, requireUnsent } from './transfer/require-unsent';

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
  const lookedUp = await lookUpApproved(deps, decision);
  return makeDecision(deps, decision, { action: 'REJECT' }, async (tx, making) => {
    requireUnsent(making, lookedUp, 'CANCEL', (provider) =>
      refusal(
        'NOT_REJECTABLE',
        `${provider} has sent this payout after all. Have it sent: it is completed then, and nothing is sent twice.`,
      ),
    );
    const { payout, actorId, text: reason, at } = making;
    const { returnsFunds } = decision;
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
  const lookedUp = await lookUpApproved(deps, decision);
  return makeDecision(deps, decision, { action: 'CANCEL', byOwner: decision.byOwner }, async (tx, making) => {
    requireUnsent(making, lookedUp, 'CANCEL', (provider) =>
      refusal(
        'NOT_CANCELLABLE',
        `${provider} has sent this payout after all. Have it sent: it is completed then, and nothing is sent twice.`,
      ),
    );
    const { payout, actorId, at } = making;
    const reason = decision.byOwner ? null : making.text;
    const end = { status: 'CANCELLED', reason, returnsFunds: true } as const;
    await endUnsentPayout(tx, payout, { ...end, by: { decidedBy: actorId } }, at);
    await keepAction(tx, making, 'CANCEL');
    if (decision.byOwner) return;
    await queuePayoutMail(tx, making.payout, 'CANCELLED', { reason, fundsReturned: true });
    await auditPayout(tx, making, 'cancel', { status: 'CANCELLED', reason });
  });
}
