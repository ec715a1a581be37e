import { isOf } from '../../ledger/reference-columns';
import type { Invariant } from '../invariant';

/** Rules of commissions as the engine makes them. */
export const commissionInvariants: readonly Invariant[] = [
  {
    id: 'partner-commissions.are-earned-once',
    says: 'A partner has one commission of a source by type and level.',
    sql: `SELECT source_id AS entity, format('%s of type %s, level %s for %s', count(*), type, level, partner_id) AS detail
      FROM partner_commissions WHERE reversal_of IS NULL
      GROUP BY source_id, partner_id, type, level HAVING count(*) > 1`,
  },
  {
    id: 'partner-commissions.keep-to-the-highest-rate',
    says: 'The differential rates of one source sum to no more than the highest rate of a rank.',
    sql: `SELECT c.source_id AS entity, format('%s of %s basis points', sum(c.rate_bp), r.most) AS detail
      FROM partner_commissions c
      JOIN LATERAL (SELECT max(CASE c.type WHEN 2 THEN team_rate_bp ELSE profit_rate_bp END) AS most
        FROM partner_ranks WHERE programme_version = c.programme_version) r ON true
      WHERE c.type IN (2, 6) AND c.reversal_of IS NULL
      GROUP BY c.source_id, c.type, r.most HAVING sum(c.rate_bp) > r.most`,
  },
  {
    id: 'partner-commissions.are-taken-back-in-full-at-most',
    says: 'Refunds and chargebacks take back no more of a commission than its net amount, and from the same partner; nothing else is restored.',
    sql: `SELECT c.id AS entity, format('%s of %s', -sum(b.net_minor), c.net_minor) AS detail
      FROM partner_commissions c JOIN partner_commissions b ON b.reversal_of = c.id
      GROUP BY c.id HAVING c.net_minor + sum(b.net_minor) < 0 OR sum(b.net_minor) > 0
        OR count(*) FILTER (WHERE b.partner_id <> c.partner_id) > 0`,
  },
  {
    id: 'partner-ranks.pay-their-bonuses',
    says: 'A partner has the bonus of each rank that was reached by points and has one.',
    sql: `SELECT h.partner_id AS entity, format('no bonus of %s for rank %s', r.bonus_minor, h.to_level) AS detail
      FROM partner_rank_changes h
      JOIN partner_ranks r ON r.programme_version = h.programme_version AND r.level = h.to_level AND r.bonus_minor > 0
      WHERE h.changed_by IS NULL AND NOT EXISTS (SELECT FROM partner_commissions c
        WHERE c.source_id = h.partner_id AND c.partner_id = h.partner_id AND c.type = 8 AND c.level = h.to_level
          AND c.reversal_of IS NULL)`,
  },
  {
    id: 'partner-commissions.are-booked',
    says: 'Every commission is booked for its partner with its net amount, and one that is reversed also back.',
    sql: `WITH reversed AS (
        SELECT t.subject_id AS id, count(*) FILTER (WHERE ${isOf('t', 'commission-reversal')})
          - count(*) FILTER (WHERE ${isOf('t', 'commission-restoration')}) AS times
        FROM ledger_transfers t WHERE ${isOf('t', 'commission-reversal', 'commission-restoration')} GROUP BY 1
      ), booked AS (
        SELECT t.subject_id, e.user_id, e.currency, sum(e.amount_minor) AS amount
        FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id
        WHERE ${isOf('t', 'commission')} AND e.account IN ('partner_pending', 'partner_available') GROUP BY 1, 2, 3
      )
      SELECT c.id AS entity, format('%s of %s %s', coalesce(booked.amount::text, 'nothing'), c.net_minor, c.status) AS detail
      FROM partner_commissions c JOIN partners p ON p.id = c.partner_id
      LEFT JOIN booked ON booked.subject_id = c.id::text AND booked.user_id = p.user_id
        AND booked.currency = c.currency
      LEFT JOIN reversed ON reversed.id = c.id::text
      WHERE c.adjustments = 0 AND (coalesce(booked.amount, 0) <> c.net_minor
        OR coalesce(reversed.times, 0) <> CASE
          WHEN c.status = 'REVERSED' AND c.net_minor <> 0 AND c.reversal_of IS NULL THEN 1 ELSE 0 END)`,
  },
];
