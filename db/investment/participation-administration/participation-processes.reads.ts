import type { Attributes } from 'sequelize';
import type { WebhookEvent } from '../../administration/webhook/webhook-event.model';
import { firstRow, rows, type Db } from '../../sql/query';

/** The ids of what the processes of a participation are about, each list newest first. */
export interface ParticipationProcessKeys {
  withdrawalIds: string[];
  refundIds: string[];
}

/** Reads at most `limit` ids of each kind. */
export async function participationProcessKeys(
  db: Db,
  participationId: string,
  limit: number,
): Promise<ParticipationProcessKeys> {
  const found = await firstRow<ParticipationProcessKeys>(
    db,
    `SELECT ARRAY (SELECT id FROM investment_withdrawals WHERE participation_id = $1 LIMIT $2) AS withdrawal_ids,
            ARRAY (SELECT id FROM payment_refunds WHERE participation_id = $1
                    ORDER BY created_at DESC, id DESC LIMIT $2) AS refund_ids`,
    [participationId, limit],
  );
  return found ?? { withdrawalIds: [], refundIds: [] };
}

/** The newest reports of its provider that had an effect on a participation, or wait for it; each kind by its own index. */
export const reportsOn = (
  db: Db,
  participationId: string,
  limit: number,
): Promise<(Pick<Attributes<WebhookEvent>, 'provider' | 'replays'> & { webhookEventId: string })[]> =>
  rows(
    db,
    `SELECT e.provider, e.id AS webhook_event_id, e.replays FROM (
       (SELECT e.id, e.provider, e.replays, e.received_at
          FROM (SELECT t.webhook_event_id FROM investment_transactions t
                 WHERE t.participation_id = $1 AND t.webhook_event_id IS NOT NULL
                 ORDER BY t.occurred_at DESC, t.id DESC LIMIT $2) t
          JOIN webhook_events e ON e.id = t.webhook_event_id)
       UNION
       (SELECT e.id, e.provider, e.replays, e.received_at
          FROM participations p JOIN webhook_events e ON e.provider = p.provider_code AND e.waits_for = p.external_id
         WHERE p.id = $1 AND e.kind = 'INVESTMENT' ORDER BY e.received_at DESC, e.id DESC LIMIT $2)) e
     ORDER BY e.received_at DESC, e.id DESC LIMIT $2`,
    [participationId, limit],
  );
