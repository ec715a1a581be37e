import { audited } from '../../../db/administration/audit/audit.writes';
import type { AdministeredPayout, PayoutFilter } from '../../../db/commerce/payout/administered-payout.reads';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { PayoutKind } from '../../../workflows/commerce/payout/payout.rules';
import { refusal } from '../../../workflows/errors';
import type { Actor } from '../actor';

/** Records that an administrator has read personal data of payouts. */
const recordRead = (
  db: Db,
  actor: Actor,
  {
    kind,
    verb,
    id,
    next,
  }: { kind: PayoutKind; verb: 'export' | 'read-destination'; id: string; next: object },
): Promise<void> =>
  inTransaction(db, (tx) =>
    audited(tx, actor, kind === 'PARTNER' ? `payout.${verb}` : `wallet-withdrawal.${verb}`, id, null, next),
  );

/** Records an export of payouts with its filter. */
export const recordPayoutExport = (db: Db, actor: Actor, filter: PayoutFilter): Promise<void> =>
  recordRead(db, actor, { kind: filter.kind, verb: 'export', id: 'export', next: filter });

/** Records that an administrator reads where a payout goes. Refused: FORBIDDEN for one of their own. */
export async function recordDestinationRead(
  db: Db,
  { id, kind, userId }: Pick<AdministeredPayout, 'id' | 'kind' | 'userId'>,
  actor: Actor,
): Promise<void> {
  if (userId === actor.actorId)
    throw refusal('FORBIDDEN', 'You cannot read the destination of your own payout.');
  await recordRead(db, actor, { kind, verb: 'read-destination', id, next: { userId } });
}
