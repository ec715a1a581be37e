import { audited } from '../../../db/administration/audit/audit.writes';
import type { AdministeredWithdrawal } from '../../../db/investment/withdrawal/administered-withdrawal.reads';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { refusal } from '../../../workflows/errors';

/** Records that an administrator reads where a withdrawal goes. Refused: FORBIDDEN for one of their own. */
export async function recordDestinationRead(
  db: Db,
  { id, participationId, userId }: Pick<AdministeredWithdrawal, 'id' | 'participationId' | 'userId'>,
  { actorId, clientAddress }: { actorId: string; clientAddress: string },
): Promise<void> {
  if (userId === actorId)
    throw refusal('FORBIDDEN', 'You cannot read the destination of your own withdrawal.');
  await inTransaction(db, (tx) =>
    audited(tx, { actorId, clientAddress }, 'withdrawal.read-destination', id, null, {
      participationId,
      userId,
    }),
  );
}
