import { audited } from '../../../db/administration/audit/audit.writes';
import type { PaymentRefundRow } from '../../../db/commerce/refund/payment-refund.reads';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { refOf, type PayableIds } from '../../../workflows/commerce/payable/payable.rules';
import { refusal } from '../../../workflows/errors';

/** Records that an administrator reads where a buyer takes money. Refused: FORBIDDEN for their own. */
export async function recordDestinationRead(
  db: Db,
  refund: Pick<PaymentRefundRow, 'id' | keyof PayableIds | 'userId'>,
  { actorId, clientAddress }: { actorId: string; clientAddress: string },
): Promise<void> {
  const { id, userId } = refund;
  if (userId === actorId) throw refusal('FORBIDDEN', 'You cannot read the destination of your own refund.');
  await inTransaction(db, (tx) =>
    audited(tx, { actorId, clientAddress }, 'payment-refund.read-destination', id, null, {
      ...refOf(refund),
      userId,
    }),
  );
}
