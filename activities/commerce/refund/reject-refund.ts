import { readNote } from '../../../db/administration/idempotency/request-note.writes';
import { decideRequest } from '../../../db/commerce/refund/refund-request.transitions';
import { inTransaction } from '../../../db/sql/transaction';
import type {
  RefundRequestActivities,
  RefundState,
} from '../../../workflows/commerce/refund/refund-request.contract';
import { requireOrder } from '../order/require-order';
import type { DbDeps } from '../../steps';
import { requireRequest } from './conclude-request';
import { queueRefundRequestMail } from './queue-refund-mail';
import { auditDecision, refundStateOf, requirePending } from './refund-decision';

type RejectRefund = Parameters<RefundRequestActivities['rejectRefund']>[0];

/** Turns a request down. The same rejection again only returns its state. Refused: NOT_PENDING. */
export const rejectRefund = ({ db }: DbDeps, rejection: RejectRefund): Promise<RefundState> =>
  inTransaction(db, async (tx) => {
    const { refundRequestId: id, orderId, noteId, at } = rejection;
    await requireOrder(tx, orderId);
    const request = await requireRequest(tx, id);
    if (request.decisionId === noteId) return refundStateOf(tx, id);
    requirePending(request);
    const note = await readNote(tx, noteId);
    await decideRequest(tx, id, {
      to: 'REJECTED',
      decisionId: noteId,
      by: note.actorId,
      note: note.text,
      approved: null,
      at,
    });
    const mail = { amountMinor: request.requestedMinor, reason: note.text };
    await queueRefundRequestMail(tx, request, 'REJECTED', mail);
    const state = await refundStateOf(tx, id);
    await auditDecision(tx, request, note, {
      action: 'refund.reject',
      next: { status: state.status, reason: note.text },
      at,
    });
    return state;
  });
