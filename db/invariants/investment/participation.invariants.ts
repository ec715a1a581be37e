import { isOf } from '../../ledger/reference-columns';
import type { Invariant } from '../invariant';

/** Principal that is promised to a strategy: of participations that wait for payment or run. */
const IN_FORCE = `SELECT strategy_id, sum(amount_minor - withdrawn_minor) AS minor,
    sum(amount_minor - withdrawn_minor) FILTER (WHERE origin <> 'PROVIDER') AS paid_here_minor FROM participations
  WHERE status IN ('PENDING_PAYMENT', 'ACTIVE') GROUP BY strategy_id`;

/** The transactions of each participation; a profit that came after the end was paid to the wallet by a transfer of its own. */
const RECORDED = `SELECT t.participation_id, count(*) FILTER (WHERE t.type = 'DEPOSIT') AS deposits,
    coalesce(sum(t.amount_minor) FILTER (WHERE t.type = 'DEPOSIT'), 0) AS deposit,
    coalesce(sum(t.amount_minor) FILTER (WHERE t.type = 'PROFIT'), 0) AS earned,
    coalesce(sum(t.amount_minor) FILTER (WHERE t.type = 'PROFIT' AND l.id IS NULL), 0) AS earned_before_end,
    coalesce(sum(t.amount_minor) FILTER (WHERE t.type IN ('WITHDRAWAL', 'PENALTY')), 0) AS taken,
    bool_and(t.user_id = p.user_id AND t.currency = p.currency AND t.provider_code = p.provider_code) AS agree
  FROM investment_transactions t JOIN participations p ON p.id = t.participation_id
  LEFT JOIN ledger_transfers l ON t.type = 'PROFIT' AND ${isOf('l', 'profit')} AND l.subject_id = t.id::text
    AND EXISTS (SELECT 1 FROM ledger_entries e WHERE e.transfer_id = l.id AND e.account = 'wallet')
  GROUP BY t.participation_id`;

/** Rules of participations: capacity, counters, transactions and ledger say the same. */
export const participationInvariants: readonly Invariant[] = [
  {
    id: 'strategies.reserve-what-is-promised',
    says: 'The reserved capacity of a strategy is the principal of its participations that wait for payment or run; what was paid here of it fits into the capacity.',
    sql: `SELECT s.id AS entity, format('%s reserved of %s, %s promised', s.reserved_minor, coalesce(s.total_capacity_minor::text,
        'any'), coalesce(f.minor, 0)) AS detail
      FROM investment_strategies s LEFT JOIN (${IN_FORCE}) AS f ON f.strategy_id = s.id
      WHERE s.reserved_minor <> coalesce(f.minor, 0) OR f.paid_here_minor > s.total_capacity_minor`,
  },
  {
    id: 'strategies.count-what-began',
    says: 'The counters of a strategy are those of its participations that run, of all that began, and of their owners.',
    sql: `SELECT s.id AS entity, format('%s of %s run, %s of %s invested, by %s of %s', s.active_participations, b.active,
        s.total_invested_minor, b.minor, s.total_participants, b.users) AS detail
      FROM investment_strategies s CROSS JOIN LATERAL (
        SELECT count(*) FILTER (WHERE status = 'ACTIVE') AS active, coalesce(sum(amount_minor), 0) AS minor,
          count(DISTINCT user_id) AS users
        FROM participations WHERE strategy_id = s.id AND started_at IS NOT NULL) AS b
      WHERE (s.active_participations, s.total_invested_minor, s.total_participants) IS DISTINCT FROM
        (b.active, b.minor, b.users)`,
  },
  {
    id: 'participations.add-up',
    says: 'A participation that began has one DEPOSIT of its amount, has earned its profits, and has paid out all of it when it ended here.',
    sql: `SELECT p.id AS entity, format('%s of %s: deposit %s, earned %s of %s, taken %s', p.status, p.amount_minor,
        coalesce(r.deposit, 0), p.earned_minor, coalesce(r.earned, 0), coalesce(r.taken, 0)) AS detail
      FROM participations p LEFT JOIN (${RECORDED}) AS r ON r.participation_id = p.id
      WHERE CASE WHEN p.started_at IS NULL THEN r.participation_id IS NOT NULL
        ELSE r.participation_id IS NULL OR r.deposits <> 1 OR r.deposit <> p.amount_minor OR NOT r.agree
          OR r.earned <> p.earned_minor OR (p.status = 'ACTIVE' AND r.taken <> p.withdrawn_minor)
          OR ((p.status = 'MATURED' OR EXISTS (SELECT 1 FROM investment_withdrawals w WHERE w.participation_id = p.id))
            AND r.taken <> p.withdrawn_minor + greatest(0, p.amount_minor - p.withdrawn_minor + r.earned_before_end)) END`,
  },
  {
    id: 'participations.go-on-in-one-other',
    says: 'A participation that another was reinvested in has its owner, strategy and currency, and began when that matured.',
    sql: `SELECT n.id AS entity, format('of %s, which is %s', p.id, p.status) AS detail
      FROM participations n JOIN participations p ON p.id = n.reinvested_from_id
      WHERE p.status <> 'MATURED' OR n.started_at < p.ended_at
        OR (n.user_id, n.strategy_id, n.currency) IS DISTINCT FROM (p.user_id, p.strategy_id, p.currency)
        OR n.amount_minor > greatest(0, p.amount_minor - p.withdrawn_minor + p.earned_minor)`,
  },
];
