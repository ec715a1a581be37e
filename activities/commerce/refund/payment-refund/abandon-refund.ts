import {
  isRefund,
  lockRefund,
  markAbandoned,
  readRefund,
} from '../../../../db/commerce/refund/refund.transitions';
import { inTransaction } from '../../../../db/sql/transaction';
import { endChargedBackRefund } from './end-charged-back-refund';
import { failRequest } from '../conclude-request';
import type { DbDeps } from '../../../steps';

/**
 * Gives a refund up: the money stays owed, in the ledger's account `refunds`; returns the id of its request, or MISSING if
 * there is no such refund. Chosen: it stays counted as refunded, because the provider may still send it, and it must not
 * go back twice.
 */
export const abandonRefund = (
  { db }: DbDeps,
  { refundId, at }: { refundId: string; at: string },
): Promise<string | null> =>
  inTransaction(db, async (tx) => {
    if (!(await isRefund(tx, refundId))) return 'MISSING';
    const { awaitsLookUp, refundRequestId } = await lockRefund(tx, refundId);
    const isNew = await markAbandoned(tx, refundId);
    // A person who gives the look-up up says that the provider does not send it.
    if (!isNew && !awaitsLookUp) return refundRequestId;
    const ended = await endChargedBackRefund(tx, refundId, at);
    if (!isNew || ended?.id === refundId || refundRequestId === null) return refundRequestId;
    const { amountMinor } = await readRefund(tx, refundId);
    await failRequest(tx, refundRequestId, amountMinor, at);
    return refundRequestId;
  });
