import type { Invariant } from '../invariant';

/** Divides by a number above zero and rounds half up, as the rules do. A fragment. */
export const halfUp = (dividend: string, divisor: string): string =>
  `div(2 * (${dividend}) + ${divisor}, 2 * (${divisor}))`;

/** Rules of the amounts of commissions, computed again from sales and rates. Who corrects one by hand answers for it. */
export const commissionAmountInvariants: readonly Invariant[] = [
  {
    id: 'partner-commissions.are-of-weight-and-rate',
    says: 'A commission that nobody adjusted is its weight times its rate, rounded half up, less what its programme withholds.',
    sql: `SELECT c.id AS entity, format('type %s: %s, net %s, of weight %s and %s basis points', c.type, c.gross_minor,
        c.net_minor, c.commission_weight, c.rate_bp) AS detail
      FROM partner_commissions c JOIN partner_programmes g ON g.version = c.programme_version
      WHERE c.reversal_of IS NULL AND c.adjustments = 0 AND c.type <= 6
        AND (c.gross_minor <> ${halfUp('c.commission_weight * c.rate_bp', '100000000')}
          OR c.net_minor <> c.gross_minor - ${halfUp('c.gross_minor::numeric * g.withholding_bp', '10000')})`,
  },
  {
    id: 'partner-commissions.are-at-the-rate-of-their-rank',
    says: 'The rate of a differential and the highest rate met below sum to the rate of its rank in its programme.',
    sql: `SELECT c.id AS entity, format('type %s: %s and %s met, of rank %s with %s basis points', c.type, c.rate_bp,
        c.met_rate_bp, c.rank_level, r.rate_bp) AS detail
      FROM partner_commissions c
      LEFT JOIN (SELECT k.type, programme_version, level, CASE k.type WHEN 2 THEN team_rate_bp ELSE profit_rate_bp END AS rate_bp
        FROM partner_ranks CROSS JOIN (VALUES (2), (6)) AS k (type)) r
        ON r.type = c.type AND r.programme_version = c.programme_version AND r.level = c.rank_level
      WHERE c.type IN (2, 6) AND c.rate_bp + c.met_rate_bp IS DISTINCT FROM r.rate_bp`,
  },
  {
    id: 'partner-commissions.are-taken-back-with-their-sale',
    says: 'Of a commission of a sale that nobody adjusted, refunds and lost chargebacks took back its part of the weight that they took of the sale, rounded half up; a reversed one is of a sale that was taken back as a whole.',
    sql: `WITH back AS (
        SELECT source_id, -sum(commission_weight) AS weight FROM partner_sales
        WHERE kind IN ('REFUND', 'CHARGEBACK', 'RETURN') GROUP BY 1
      ), taken AS (
        SELECT reversal_of AS id, -sum(net_minor) AS net FROM partner_commissions WHERE reversal_of IS NOT NULL GROUP BY 1
      )
      SELECT c.id AS entity, format('%s, %s of %s taken back for weight %s of %s', c.status, coalesce(taken.net, 0), c.net_minor,
        coalesce(back.weight, 0), s.commission_weight) AS detail
      FROM partner_commissions c
      JOIN partner_sales s ON s.source_id = c.source_id AND s.kind IN ('ORDER', 'INVESTMENT')
      LEFT JOIN back ON back.source_id = c.source_id
      LEFT JOIN taken ON taken.id = c.id
      WHERE c.reversal_of IS NULL AND c.adjustments = 0 AND s.commission_weight > 0 AND CASE c.status
        WHEN 'REVERSED' THEN coalesce(back.weight, 0) <> s.commission_weight
        ELSE coalesce(taken.net, 0) <> ${halfUp('c.net_minor * coalesce(back.weight, 0)', 's.commission_weight')} END`,
  },
  {
    id: 'partner-commissions.are-of-every-sale',
    says: 'A sale with a sponsor has its commission, for a first order or an investment (type 1) or a repeat (3), by the weight of the sale and the rate of its programme, unless it rounds to nothing.',
    sql: `SELECT s.source_id AS entity, format('%s of partner %s: no commission of type %s at %s basis points', s.kind,
        s.partner_id, due.type, due.rate_bp) AS detail
      FROM partner_sales s JOIN partner_programmes g ON g.version = s.programme_version
      LEFT JOIN orders f ON s.kind = 'ORDER' AND f.id = s.source_id AND f.is_first
      CROSS JOIN LATERAL (SELECT CASE WHEN s.kind = 'ORDER' AND f.id IS NULL THEN 3 ELSE 1 END AS type,
        CASE WHEN s.kind = 'ORDER' AND f.id IS NULL THEN g.repeat_sale_bp ELSE g.personal_sale_bp END AS rate_bp) AS due
      WHERE s.kind IN ('ORDER', 'INVESTMENT') AND s.partner_id IS NOT NULL
        AND ${halfUp('s.commission_weight * due.rate_bp', '100000000')} > 0
        AND NOT EXISTS (SELECT FROM partner_commissions c WHERE c.source_id = s.source_id AND c.reversal_of IS NULL
          AND c.partner_id = s.partner_id AND c.type = due.type AND c.rate_bp = due.rate_bp
          AND c.commission_weight = s.commission_weight)`,
  },
];
