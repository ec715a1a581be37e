import { recordAudit, type Change } from '../../../db/administration/audit/audit.writes';
import type { AdministeredPayout, PayoutFilter } from '../../../db/commerce/payout/administered-payout.reads';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { PayoutKind } from '../../../workflows/commerce/payout/payout.rules';
import { refusal } from '../../../workflows/errors';
import type { Actor } from '../actor';

type Read = Pick<Change, 'entityId' | 'next'>;

/** Records that an administrator has read personal data of payouts. */
const recordRead = (
  db: Db,
  actor: Actor,
  { kind, verb, ...read }: Read & { kind: PayoutKind; verb: 'export' | 'read-destination' },
): Promise<void> =>
  inTransaction(db, (tx) => {
    const change = { ...actor, ...read, previous: null, at: new Date() };
    return recordAudit(
      tx,
      kind === 'PARTNER'
        ? { ...change, entityType: 'payout', action: `payout.${verb}` }
        : { ...change, entityType: 'wallet-withdrawal', action: `wallet-withdrawal.${verb}` },
    );
  });

/** Records an export of payouts with its filter. */
export const recordPayoutExport = (db: Db, actor: Actor, filter: PayoutFilter): Promise<void> =>
  recordRead(db, actor, { kind: filter.kind, verb: 'export', entityId: 'export', next: filter });

/** Records that an administrator reads where a payout goes. Refused: FORBIDDEN for one of their own. */
export async function recordDestinationRead(
  db: Db,
  { id, kind, userId }: Pick<AdministeredPayout, 'id' | 'kind' | 'userId'>,
  actor: Actor,
): Promise<void> {
  if (userId === actor.actorId)
    throw refusal('FORBIDDEN', 'You cannot read the destination of your own payout.');
  await recordRead(db, actor, { kind, verb: 'read-destination', entityId: id, next: { userId } });
}
