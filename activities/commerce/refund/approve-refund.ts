import { readNote } from '../../../db/administration/idempotency/request-note.writes';
import { partsOf } from '../../../db/commerce/refund/refund-request.transitions';
import { inTransaction } from '../../../db/sql/transaction';
import { amountInWords } from '../../../workflows/commerce/money.rules';
import type { ReturnClaim } from '../../../workflows/commerce/refund/refund-claim.rules';
import type {
  RefundRequestActivities,
  RefundState,
} from '../../../workflows/commerce/refund/refund-request.contract';
import { businessRefusal } from '../../../workflows/errors';
import { requireOrder } from '../order/require-order';
import type { DbDeps } from '../../steps';
import { carryOutApproval, mostRefundable, refundableOf, type Refundable } from './carry-out-approval';
import { requireRequest } from './conclude-request';
import { auditDecision, refundStateOf, requireApprovable } from './refund-decision';

type ApproveRefund = Parameters<RefundRequestActivities['approveRefund']>[0];

/** Approves a request. The same approval again only returns its state. Refused: NOT_PENDING, VALIDATION_ERROR. */
export const approveRefund = ({ db }: DbDeps, approval: ApproveRefund): Promise<RefundState> =>
  inTransaction(db, async (tx) => {
    const { refundRequestId: id, orderId, noteId, restock, at } = approval;
    const order = await requireOrder(tx, orderId);
    const request = await requireRequest(tx, id);
    if (request.decisionId === noteId) return refundStateOf(tx, id);
    requireApprovable(request, order);

    const parts = await partsOf(tx, id);
    const claim = { ...request, parts, claimedMinor: request.requestedMinor };
    const refundable = await refundableOf(tx, order);
    const amountMinor = approval.amountMinor ?? request.requestedMinor;
    requireWithin(refundable, claim, amountMinor, request.currency);
    const note = await readNote(tx, noteId);
    const decision = { request, parts, claim, amountMinor, restock, note, noteId, at };
    await carryOutApproval(tx, order, refundable, decision);
    const state = await refundStateOf(tx, id);
    await auditDecision(tx, request, note, {
      action: 'refund.approve',
      next: { status: state.status, approvedMinor: amountMinor, restock, note: note.text },
      at,
    });
    return state;
  });

function requireWithin(
  refundable: Refundable,
  claim: ReturnClaim,
  amountMinor: number,
  currency: string,
): void {
  const most = mostRefundable(refundable, claim);
  if (amountMinor >= 1 && amountMinor <= most) return;
  const limit = amountInWords(most, currency);
  const amount = [`must be at most ${limit}`];
  throw most < claim.claimedMinor
    ? businessRefusal('REFUND_EXCEEDS_PAYMENT', `Only ${limit} of this order can still be refunded.`, {
        amount,
      })
    : businessRefusal('REFUND_EXCEEDS_REQUEST', `The amount cannot exceed the requested ${limit}.`, {
        amount,
      });
}
