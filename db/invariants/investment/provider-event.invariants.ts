import type { Invariant } from '../invariant';

/**
 * True where the report `w` of money is not recorded: by the id that it has at its provider, for the investment that it names
 * and with its amount. The amount of a payout that was made here already, and that it only confirms, is left to the reconciliation.
 */
const isLost = (type: 'PROFIT' | 'WITHDRAWAL'): string => `w.amount_minor IS DISTINCT FROM 0 AND NOT EXISTS (
          SELECT 1 FROM investment_transactions t JOIN participations p ON p.id = t.participation_id
          WHERE t.provider_code = w.provider AND t.type = '${type}' AND t.external_id = w.movement
            AND p.external_id = w.subject
            AND (t.amount_minor = w.amount_minor${type === 'PROFIT' ? '' : ' OR t.webhook_event_id IS DISTINCT FROM w.id'}))`;

/** True where the report `w` confirmed an end here that had left nothing to pay out, and so has no transaction to name. */
const CONFIRMS_NOTHING_PAID = `EXISTS (SELECT 1 FROM participations p
          WHERE p.provider_code = w.provider AND p.external_id = w.subject
            AND p.payout_external_id = w.movement AND p.payout_reported_at IS NULL
            AND NOT EXISTS (SELECT 1 FROM investment_transactions t WHERE t.participation_id = p.id
              AND t.type = 'WITHDRAWAL' AND t.webhook_event_id IS NULL))`;

/** Rules of what investment providers report. That no id of a provider has two effects, unique indexes guarantee. */
export const providerEventInvariants: readonly Invariant[] = [
  {
    id: 'provider-events.have-their-effect',
    says: 'What a processed report of an investment says is recorded, for the investment and with the amount that it names; the text of one about a person is gone.',
    sql: `SELECT w.id AS entity, format('%s %s of %s', w.type, w.external_event_id, w.provider) AS detail
      FROM webhook_events w
      WHERE w.kind = 'INVESTMENT' AND w.status = 'PROCESSED' AND w.body IS NOT NULL AND CASE w.type
        WHEN 'investment.created' THEN NOT EXISTS (SELECT 1 FROM participations p
          WHERE p.provider_code = w.provider AND p.external_id = w.subject AND p.amount_minor = w.amount_minor)
        WHEN 'profit.distributed' THEN ${isLost('PROFIT')}
        WHEN 'investment.withdrawn' THEN ${isLost('WITHDRAWAL')} AND NOT ${CONFIRMS_NOTHING_PAID}
        WHEN 'kyc.synced' THEN true
        ELSE false END`,
  },
  {
    id: 'provider-events.are-the-source',
    says: 'A movement that names a report came from one of the same provider that was applied.',
    sql: `SELECT t.id AS entity, format('%s of participation %s names report %s', t.type, t.participation_id,
        t.webhook_event_id) AS detail
      FROM investment_transactions t
      WHERE t.webhook_event_id IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM webhook_events w WHERE w.id = t.webhook_event_id AND w.provider = t.provider_code
          AND w.kind = 'INVESTMENT' AND w.status IN ('PROCESSED', 'RECEIVED'))`,
  },
];
