import { recordAudit } from '../../../db/administration/audit/audit.writes';
import type { PaymentRefundRow } from '../../../db/commerce/refund/payment-refund.reads';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { refusal } from '../../../workflows/errors';

/** Records that an administrator reads where a buyer takes money. Refused: FORBIDDEN for an order of their own. */
export async function recordDestinationRead(
  db: Db,
  { id, orderId, userId }: Pick<PaymentRefundRow, 'id' | 'orderId' | 'userId'>,
  { actorId, clientAddress }: { actorId: string; clientAddress: string },
): Promise<void> {
  if (userId === actorId) throw refusal('FORBIDDEN', 'You cannot read the destination of your own refund.');
  await inTransaction(db, (tx) =>
    recordAudit(tx, {
      actorId,
      action: 'payment-refund.read-destination',
      entityType: 'payment-refund',
      entityId: id,
      previous: null,
      next: { orderId, userId },
      clientAddress,
      at: new Date(),
    }),
  );
}
