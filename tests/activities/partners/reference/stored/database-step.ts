import { takeEvent } from '../../../../../activities/partners/commission/take-event';
import { postTransfer } from '../../../../../db/ledger/ledger.transitions';
import { policyFrom } from '../../../../../db/policy/config';
import { execute, firstRow, type Db } from '../../../../../db/sql/query';
import { inTransaction } from '../../../../../db/sql/transaction';
import type { RefCommission } from '../facts';
import type { Step } from '../random-world';
import type { StoredWorld } from './world-rows';

const policy = policyFrom({});

/** A step in the database: by the engine's own transaction, or as administrators and jobs do. */
export async function databaseStep(
  db: Db,
  stored: StoredWorld,
  step: Step,
  settled: RefCommission | undefined,
): Promise<void> {
  if (step.kind === 'status')
    await execute(db, 'UPDATE partners SET status = $2 WHERE id = $1', [
      ...[stored.partnerIds[step.partner], step.isActive ? 'ACTIVE' : 'SUSPENDED'],
    ]);
  else if (step.kind === 'settle') await settleStored(db, stored, settled);
  else await takeEvent(db, policy, stored.eventIds.get(`${step.kind} ${step.index}`)!);
}

async function settleStored(db: Db, stored: StoredWorld, settled: RefCommission | undefined): Promise<void> {
  if (!settled) return;
  const { partner, type, source, level, status } = settled;
  const found = await firstRow<{ id: string; netMinor: number }>(
    db,
    `UPDATE partner_commissions SET status = $5, processed_at = now() WHERE source_id = $1 AND partner_id = $2 AND type = $3
       AND level = $4 AND reversal_of IS NULL RETURNING id, net_minor`,
    [stored.sources.get(source), stored.partnerIds[partner], type, level, status],
  );
  const { id, netMinor } = found!;
  if (status === 'HELD') return;
  const userId = stored.userIds[partner]!;
  const to =
    status === 'PAID' ? { account: 'payouts' as const } : { account: 'partner_available' as const, userId };
  await inTransaction(db, (tx) =>
    postTransfer(tx, {
      reference: `commission:${id}:mature`,
      entries: [
        { account: 'partner_pending', userId, currency: 'USD', amountMinor: -netMinor },
        { ...to, currency: 'USD', amountMinor: netMinor },
      ],
      at: new Date(),
    }),
  );
}
