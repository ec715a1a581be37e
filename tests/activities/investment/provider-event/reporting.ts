import { createHash } from 'node:crypto';
import { v7 } from 'uuid';
import { providerEventActivities } from '../../../../activities/investment/provider-event/provider-event.activities';
import { storeWebhookEvent } from '../../../../db/administration/webhook/webhook-event.writes';
import { policyFrom } from '../../../../db/policy/config';
import { firstRow, rows, type Db } from '../../../../db/sql/query';
import {
  factsOfEvent,
  isKnownEvent,
} from '../../../../workflows/investment/provider-event/provider-event.rules';

/** A report as a provider sends it. */
export interface Report {
  type: string;
  data: Record<string, unknown>;
  /** ISO 8601; left out: as far back as `reporting` begins. */
  timestamp?: string;
  id?: string;
}

/** Stores and applies reports of one provider by the activities, without a process. */
export function reporting(db: Db, provider: string, variables: Record<string, string> = {}) {
  const steps = providerEventActivities({ db, policy: policyFrom(variables) });
  const at = new Date().toISOString();

  const store = async ({ type, data, timestamp = at, id = v7() }: Report): Promise<string> => {
    const body = JSON.stringify({ type, timestamp, data });
    const stored = await storeWebhookEvent(db, {
      ...{ id: v7(), kind: 'INVESTMENT', provider, externalEventId: id, type, body },
      ...factsOfEvent(type, { data }),
      bodyHash: createHash('sha256').update(body).digest('hex'),
      known: isKnownEvent(type),
      at: new Date(),
    });
    return stored.id;
  };
  const applyAt = (webhookEventId: string, time: Date) =>
    steps.applyProviderEvent({ webhookEventId, at: time.toISOString() });
  const apply = (webhookEventId: string) => applyAt(webhookEventId, new Date());

  return {
    store,
    apply,
    applyAt,

    /** Stores a report and applies it once. */
    report: async (report: Report) => apply(await store(report)),

    /** Stores reports in an order and applies them until no one waits that could go on, as their processes would. */
    async reportAll(reports: readonly Report[]) {
      let open: string[] = [];
      for (const report of reports) open.push(await store(report));
      for (let left = -1; left !== open.length;) {
        left = open.length;
        const still: string[] = [];
        for (const id of open) if ((await apply(id)).outcome === 'WAITING') still.push(id);
        open = still;
      }
      return { waiting: open.length };
    },

    /** The row of a stored report. */
    row: (id: string) =>
      firstRow<{ status: string; error: string | null; waitsFor: string | null; attempts: number }>(
        db,
        'SELECT status, last_error AS error, waits_for, attempts FROM webhook_events WHERE id = $1',
        [id],
      ),
  };
}

/** All that a provider can change of a participation, without ids and times of ours. */
export async function standing(db: Db, externalId: string) {
  const participation = await firstRow(
    db,
    `SELECT p.status, p.origin, p.payment_method, p.payment_status, p.amount_minor, p.earned_minor, p.withdrawn_minor,
       p.reported_value_minor, p.value_reported_at, p.started_at, p.matures_at, p.maturity_reported_at,
       p.payout_reported_at, s.reserved_minor, s.active_participations, s.total_invested_minor
     FROM participations p JOIN investment_strategies s ON s.id = p.strategy_id WHERE p.external_id = $1`,
    [externalId],
  );
  const of = '(SELECT id FROM participations WHERE external_id = $1)';
  const transactions = await rows(
    db,
    `SELECT type, amount_minor, external_id, period, occurred_at FROM investment_transactions
     WHERE participation_id = ${of} ORDER BY type, occurred_at, amount_minor`,
    [externalId],
  );
  const values = await rows(
    db,
    `SELECT reported_at, value_minor FROM participation_values WHERE participation_id = ${of} ORDER BY 1`,
    [externalId],
  );
  const balances = await rows(
    db,
    `SELECT e.account, sum(e.amount_minor)::bigint AS balance_minor FROM ledger_entries e
       JOIN participations p ON p.external_id = $1
     WHERE e.user_id = p.user_id OR e.account = 'clearing_provider_' || p.provider_code
     GROUP BY e.account HAVING sum(e.amount_minor) <> 0 ORDER BY 1`,
    [externalId],
  );
  const events = await rows(
    db,
    `SELECT type, data ->> 'amountMinor' AS amount_minor FROM domain_events WHERE entity_id = ${of} ORDER BY 1, 2`,
    [externalId],
  );
  return { participation, transactions, values, balances, events };
}
