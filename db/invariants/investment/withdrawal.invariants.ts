import { isOf } from '../../ledger/reference-columns';
import type { Invariant } from '../invariant';

/** Rules of withdrawals: the participation has ended for them, and their money is where they say. */
export const withdrawalInvariants: readonly Invariant[] = [
  {
    id: 'withdrawals.end-their-participation',
    says: 'A participation is withdrawn if, and only if, its owner has a withdrawal of it or its provider has paid it out.',
    sql: `SELECT p.id AS entity, format('%s, %s withdrawals here, %s at its provider', p.status, own.n, theirs.n) AS detail
      FROM participations p
      CROSS JOIN LATERAL (SELECT count(*) AS n FROM investment_withdrawals w WHERE w.participation_id = p.id) AS own
      CROSS JOIN LATERAL (SELECT count(*) AS n FROM investment_transactions t WHERE t.participation_id = p.id
        AND t.type = 'WITHDRAWAL' AND t.webhook_event_id IS NOT NULL) AS theirs
      WHERE CASE WHEN p.status = 'WITHDRAWN' THEN own.n + theirs.n = 0 AND p.payout_reported_at IS NULL ELSE own.n > 0 END
      UNION ALL
      SELECT p.id, format('of user %s, withdrawn by user %s', p.user_id, w.user_id)
      FROM investment_withdrawals w JOIN participations p ON p.id = w.participation_id
      WHERE w.user_id <> p.user_id OR w.currency <> p.currency`,
  },
  {
    id: 'withdrawals.are-paid-out',
    says: 'The net amount of a withdrawal is in the wallet, on its way or with the provider that sent it: in one of them.',
    sql: `WITH booked AS (
        SELECT t.subject_id AS id,
          coalesce(sum(e.amount_minor) FILTER (WHERE e.account = 'wallet'), 0) AS wallet,
          coalesce(sum(e.amount_minor) FILTER (WHERE e.account = 'payout_hold'), 0) AS held,
          coalesce(sum(e.amount_minor) FILTER (WHERE e.account LIKE 'clearing\\_%'
            AND e.account NOT LIKE 'clearing\\_provider\\_%'), 0) AS sent,
          coalesce(sum(e.amount_minor) FILTER (WHERE e.account = 'penalties'), 0) AS penalty,
          min(e.user_id::text) AS user_id
        FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id
        WHERE ${isOf('t', 'withdrawal', 'withdrawal-arrival', 'withdrawal-credit')} GROUP BY 1
      )
      SELECT coalesce(w.id::text, b.id) AS entity, format('%s of %s by %s: wallet %s, on its way %s, sent %s, penalty %s of %s',
        w.status, w.net_minor, w.method, b.wallet, b.held, b.sent, b.penalty, w.penalty_minor) AS detail
      FROM investment_withdrawals w FULL JOIN booked b ON b.id = w.id::text
      WHERE w.id IS NULL OR b.user_id <> w.user_id::text OR coalesce(b.penalty, 0) <> w.penalty_minor
        OR coalesce(b.held, 0) <> CASE WHEN w.status = 'PROCESSING' THEN w.net_minor ELSE 0 END
        OR coalesce(b.sent, 0) <> CASE WHEN w.status = 'COMPLETED' AND w.provider IS NOT NULL THEN w.net_minor ELSE 0 END
        OR coalesce(b.wallet, 0) <> CASE WHEN w.status = 'CREDITED' OR (w.status = 'COMPLETED' AND w.provider IS NULL)
          THEN w.net_minor ELSE 0 END`,
  },
  {
    id: 'withdrawals.arrive-once',
    says: 'The sandbox has sent each withdrawal at most once, for its net amount, and none whose money is in a wallet or was sent by hand.',
    sql: `SELECT w.id AS entity, format('%s of %s, sent %s in %s transfers', w.status, w.net_minor,
        sum(s.amount_minor * s.copies), sum(s.copies)) AS detail
      FROM sandbox_transfers s JOIN investment_withdrawals w ON w.id::text = split_part(s.key, ':', 1)
      WHERE s.status = 'ARRIVED' GROUP BY w.id
      HAVING sum(s.copies) > 1 OR sum(s.amount_minor) <> w.net_minor OR w.status = 'CREDITED'
        OR (w.status = 'COMPLETED' AND w.provider = 'bank')`,
  },
];
