import { postTransfer } from '../../../../../db/ledger/ledger.transitions';
import { policyFrom } from '../../../../../db/policy/config';
import { execute, firstRow, rows, type Db } from '../../../../../db/sql/query';
import { inTransaction } from '../../../../../db/sql/transaction';
import type { RefCommission } from '../facts';
import type { Step } from '../random-world';
import type { StoredWorld } from './world-rows';
import { takeEvent } from '../../../../support/checks/take-events';

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
      ...[stored.partnerIds[step.partner], step.to],
    ]);
  else if (step.kind === 'settle') await settleStored(db, stored, settled);
  else await takeWithCauses(db, stored.eventIds.get(`${step.kind} ${step.index}`)!);
}

/** The payment of what is taken back comes first, and the loss of what is returned: an event waits for those before it. */
async function takeWithCauses(db: Db, eventId: string): Promise<void> {
  const causes = await rows<{ id: string }>(
    db,
    `SELECT c.id FROM domain_events e JOIN domain_events c ON c.entity_id = e.entity_id AND c.id <> e.id
      WHERE e.id = $1 AND e.type IN ('refund.completed', 'refund.charged_back', 'chargeback.lost', 'chargeback.returned')
        AND (c.type IN ('order.paid', 'investment.created', 'entrance.paid') OR e.type = 'chargeback.returned'
          AND c.type = 'chargeback.lost' AND c.data ->> 'chargebackId' = e.data ->> 'chargebackId')
      ORDER BY c.type = 'chargeback.lost'`,
    [eventId],
  );
  for (const { id } of causes) await takeEvent(db, policy, id);
  await takeEvent(db, policy, eventId);
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
      reference: { kind: 'commission-maturation', subjectId: id },
      entries: [
        { account: 'partner_pending', userId, currency: 'USD', amountMinor: -netMinor },
        { ...to, currency: 'USD', amountMinor: netMinor },
      ],
      at: new Date(),
    }),
  );
}
