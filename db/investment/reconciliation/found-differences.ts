import { MAX_AMOUNT_MINOR } from '../../../workflows/commerce/money.rules';

/** Reports that came so shortly before are compared the next time, since they may not be applied yet. */
export const SETTLED_AFTER = `interval '1 hour'`;

/** The sum `amount` of minor units, however much a provider has reported; null stays null. */
export const asMinor = (amount: string): string =>
  `CASE WHEN ${amount} IS NOT NULL
     THEN least(greatest(round(${amount}), -${MAX_AMOUNT_MINOR}), ${MAX_AMOUNT_MINOR})::bigint END`;

const IS_SETTLED = `< $1::timestamptz - ${SETTLED_AFTER}`;

/** The kind of the difference between movements of the type `type`. */
const KIND_OF = `CASE type WHEN 'DEPOSIT' THEN 'PRINCIPAL_DIFFERS' WHEN 'PROFIT' THEN 'PROFITS_DIFFER'
             ELSE 'WITHDRAWAL_DIFFERS' END`;

/**
 * True if a provider may keep the penalty of its report `r` on the participation `p`. Of what was paid out here the penalty is
 * ours: the provider has to pay it to us.
 */
const KEEPS_PENALTY = `p.ended_at IS NULL OR p.payout_reported_at IS NOT NULL OR EXISTS (
                      SELECT 1 FROM investment_transactions t
                       WHERE t.participation_id = p.id AND t.type = 'PENALTY' AND t.external_id = r.external_id)`;

/**
 * The CTEs `page`, a page of participations, `found`, their differences, and `unsettled`; each kind of movement is compared as
 * a sum. A report that is not settled counts on neither side: it and the movement that was booked from it are left out.
 *
 * - `moved` names each movement by the report that it has to have: the one that it was booked from, or the one that confirms
 *   a payout that was made here. No report confirms that payout yet where the name is null; it is then left out until
 *   confirmations are no longer expected.
 * - `late` are profits that went to the wallet after a payout that was made here, and that the payout of the provider includes.
 * - A provider without a secret for its reports, such as `internal`, cannot report: nothing is expected of it.
 * - `unsettled` are the kinds of differences of which a report has yet to settle, other than one that was booked just now: what
 *   differed may only be left out.
 *
 * `$1` is the time of the comparison, `$2` the days of patience, `$3` the participation before the page, `$4` the size of
 * the page, `$5` the minor units of currencies.
 */
export const FOUND = `
  page AS (SELECT id, provider_code, external_id, amount_minor, currency, started_at, ended_at, payout_reported_at,
                  payout_external_id
             FROM participations
            WHERE id > coalesce($3::uuid, '00000000-0000-0000-0000-000000000000') ORDER BY id LIMIT $4),
  reported AS (SELECT p.id, r.type,
                      sum(r.amount - CASE WHEN ${KEEPS_PENALTY}
                        THEN 0 ELSE r.penalty END) * ($5::jsonb ->> p.currency)::numeric AS minor,
                      max(r.occurred_at) AS occurred_at, bool_or(r.currency <> p.currency) IS TRUE AS is_foreign
                 FROM page p JOIN investment_reports r
                   ON r.provider_code = p.provider_code AND r.investment_external_id = p.external_id
                WHERE r.reported_at ${IS_SETTLED} GROUP BY p.id, r.type, p.currency),
  moved AS (SELECT p.id, p.provider_code, p.ended_at, t.amount_minor, t.created_at,
                   CASE t.type WHEN 'PENALTY' THEN 'WITHDRAWAL' ELSE t.type END AS type,
                   CASE t.type WHEN 'DEPOSIT' THEN p.external_id WHEN 'PROFIT' THEN t.external_id
                     ELSE coalesce(t.external_id, p.payout_external_id) END AS name
              FROM page p JOIN investment_transactions t ON t.participation_id = p.id WHERE p.external_id IS NOT NULL),
  held AS (SELECT m.id, m.type, sum(m.amount_minor) AS minor
             FROM moved m LEFT JOIN investment_reports r
               ON r.provider_code = m.provider_code AND r.type = m.type AND r.external_id = m.name
            WHERE coalesce(r.reported_at, m.created_at) ${IS_SETTLED}
              AND (m.name IS NOT NULL OR m.type <> 'WITHDRAWAL'
                OR m.ended_at < $1::timestamptz - make_interval(days => $2::int))
            GROUP BY m.id, m.type),
  unsettled AS (SELECT DISTINCT p.id, ${KIND_OF} AS kind
                  FROM page p JOIN investment_reports r
                    ON r.provider_code = p.provider_code AND r.investment_external_id = p.external_id
                 WHERE NOT r.reported_at ${IS_SETTLED}
                   AND NOT EXISTS (SELECT 1 FROM moved m WHERE m.id = p.id AND m.type = r.type
                     AND m.name = r.external_id AND NOT m.created_at ${IS_SETTLED})),
  late AS (SELECT p.id, r.type, sum(t.amount_minor) AS minor
             FROM page p JOIN reported r ON r.id = p.id AND r.type = 'WITHDRAWAL'
               JOIN investment_transactions t ON t.participation_id = p.id AND t.type = 'PROFIT'
            WHERE p.payout_reported_at IS NULL AND t.created_at > p.ended_at AND t.occurred_at <= r.occurred_at
            GROUP BY p.id, r.type),
  compared AS (SELECT id, type, r.minor AS reported, coalesce(h.minor, 0) + coalesce(l.minor, 0) AS held, r.is_foreign
                 FROM reported r FULL JOIN held h USING (id, type) LEFT JOIN late l USING (id, type)),
  found AS (
    SELECT id, ${KIND_OF} AS kind, held::bigint AS held_minor, ${asMinor('reported')} AS reported_minor
      FROM compared WHERE coalesce(reported, 0) <> held OR is_foreign
    UNION ALL
    SELECT id, 'NOT_REPORTED', amount_minor, NULL FROM page
     WHERE started_at IS NOT NULL AND external_id IS NULL AND started_at < $1::timestamptz - make_interval(days => $2::int)
       AND EXISTS (SELECT 1 FROM investment_provider_secrets s
             WHERE s.provider_code = page.provider_code AND s.purpose = 'WEBHOOK'))`;
