import { audited } from '../../../../db/administration/audit/audit.writes';
import { collectedTransferBy, type WaitingTransfer } from '../../../../db/commerce/bank-file/bank-file.reads';
import { refuseCollected } from '../../../../db/commerce/bank-file/bank-file-transfer.writes';
import type { TransferSubject } from '../../../../db/commerce/bank-file/transfer-subject.reads';
import { inTransaction } from '../../../../db/sql/transaction';
import { refusal } from '../../../../workflows/errors';
import type { Context } from '../../../http/handler-context';
import type { Actor } from '../../actor';
import { requireMayEnd } from '../ending/may-end';
import { collectedView } from './collected.view';

/** The administrator's own words may name the person, and histories of processes hold the reason of a refusal. */
const REFUSED_BECAUSE = 'An administrator took it out of the collection.';

/**
 * Takes a transfer out of the collection for good: nothing of it was or will be sent; returns what it is of too. Only the audit
 * record has the reason. Refuses with TRANSFER_NOT_FOUND, also one that is in a file, which the bank may carry out, and with
 * FORBIDDEN an own one. The answer is stored with it.
 */
export const refuseTransfer = (
  { db, policy, conclude }: Pick<Context, 'db' | 'policy' | 'conclude'>,
  { id, reason }: { id: string; reason: string },
  by: Actor,
): Promise<{ transfer: WaitingTransfer; subjects: TransferSubject[] }> =>
  inTransaction(db, async (tx) => {
    const transfer = await collectedTransferBy(tx, id);
    const at = new Date();
    if (!transfer || !(await refuseCollected(tx, id, REFUSED_BECAUSE, at)))
      throw refusal('TRANSFER_NOT_FOUND');
    const subjects = await requireMayEnd(tx, [{ id, status: 'REFUSED' }], by, policy);
    const { key, amountMinor, currency } = transfer;
    await audited(
      tx,
      { ...by, at },
      'bank-file.refuse-transfer',
      id,
      { status: 'COLLECTED', key, amountMinor, currency },
      { status: 'REFUSED', reason },
    );
    await conclude(tx, collectedView(transfer));
    return { transfer, subjects };
  });
