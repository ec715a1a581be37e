import { columnsAsText, isOf } from '../../ledger/reference-columns';
import type { Invariant } from '../invariant';

const WITHDRAWAL_KINDS = ['withdrawal', 'withdrawal-arrival', 'withdrawal-credit'] as const;
const TRANSACTION_KINDS = ['profit', 'provider-payout'] as const;
const PARTICIPATION_KINDS = [
  'participation-payment',
  'participation-maturity',
  'participation-payout',
] as const;

/** The entries of transfers about participations, with the participation that the reference names; null if there is none. */
const BOOKED = `SELECT t.kind, ${columnsAsText('t')} AS reference,
    coalesce(w.participation_id, x.participation_id, p.id) AS participation_id, e.account, e.amount_minor
  FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id
  LEFT JOIN investment_withdrawals w ON ${isOf('t', ...WITHDRAWAL_KINDS)} AND w.id::text = t.subject_id
  LEFT JOIN investment_transactions x ON ${isOf('t', ...TRANSACTION_KINDS)} AND x.id::text = t.subject_id
  LEFT JOIN participations p ON ${isOf('t', ...PARTICIPATION_KINDS)} AND p.id::text = t.subject_id
  WHERE e.account = 'investments'
    OR ${isOf('t', ...WITHDRAWAL_KINDS, ...TRANSACTION_KINDS, ...PARTICIPATION_KINDS)}`;

/**
 * The sum that each participation has paid by its transactions: payouts, penalties that were kept here, and profits that came after
 * the end and that its last payout did not include.
 */
const RECORDED = `SELECT p.id AS participation_id, coalesce(sum(t.amount_minor), 0) AS minor
  FROM participations p JOIN investment_transactions t ON t.participation_id = p.id
  WHERE t.type = 'WITHDRAWAL' OR (t.type = 'PENALTY' AND t.webhook_event_id IS NULL)
    OR (t.type = 'PROFIT' AND t.created_at > p.ended_at
      AND t.occurred_at > coalesce(p.payout_reported_at, '-infinity'))
  GROUP BY p.id`;

/** The sum that a participation `p` is owed while it runs: principal in force and returns. */
const OWED = `CASE WHEN p.status = 'ACTIVE' THEN greatest(0, p.amount_minor - p.withdrawn_minor + p.earned_minor) ELSE 0 END`;

/** Rules of the money of participations: their transactions, their transfers and what providers hold say the same. */
export const participationLedgerInvariants: readonly Invariant[] = [
  {
    id: 'participations.hold-what-they-are-owed',
    says: 'The account of investments holds the principal and the returns of each running participation, and nothing else.',
    sql: `WITH held AS (
        SELECT participation_id, CASE WHEN participation_id IS NULL THEN reference END AS stray, sum(amount_minor) AS minor
        FROM (${BOOKED}) AS b WHERE account = 'investments' GROUP BY 1, 2
      )
      SELECT coalesce(p.id::text, h.stray) AS entity, format('%s is owed, %s is booked', due.minor,
        coalesce(h.minor, 0) + moved.minor) AS detail
      FROM participations p FULL JOIN held h ON h.participation_id = p.id
      CROSS JOIN LATERAL (SELECT ${OWED} AS minor) AS due
      CROSS JOIN LATERAL (SELECT CASE WHEN p.origin = 'REINVESTMENT' THEN p.amount_minor ELSE 0 END
        - coalesce((SELECT n.amount_minor FROM participations n WHERE n.reinvested_from_id = p.id), 0) AS minor) AS moved
      WHERE coalesce(h.minor, 0) + moved.minor <> due.minor`,
  },
  {
    id: 'participations.pay-what-they-record',
    says: 'What the transfers of a participation brought to its owner, and kept as penalty, is what its transactions say.',
    sql: `WITH paid AS (
        SELECT participation_id, sum(amount_minor) AS minor FROM (${BOOKED}) AS b
        WHERE NOT ${isOf('b', 'participation-payment')} AND (account IN ('wallet', 'payout_hold', 'penalties')
          OR (starts_with(account, 'clearing_') AND NOT starts_with(account, 'clearing_provider_')))
          AND participation_id IS NOT NULL GROUP BY 1
      )
      SELECT p.id AS entity, format('%s by transfers, %s into the next term, %s by transactions', coalesce(b.minor, 0),
        coalesce(n.amount_minor, 0), coalesce(r.minor, 0)) AS detail
      FROM participations p LEFT JOIN paid b ON b.participation_id = p.id
      LEFT JOIN participations n ON n.reinvested_from_id = p.id
      LEFT JOIN (${RECORDED}) AS r ON r.participation_id = p.id
      WHERE coalesce(b.minor, 0) + coalesce(n.amount_minor, 0) <> coalesce(r.minor, 0)`,
  },
  {
    id: 'providers.hold-what-they-were-given',
    says: "A provider's clearing account says that it holds what its running participations are owed and what the others have paid, less what it has paid us of that and what was written off.",
    sql: `WITH moved AS (
        SELECT p.provider_code, p.currency, ${OWED} + coalesce(r.minor, 0)
          - CASE WHEN p.origin = 'REINVESTMENT' THEN p.amount_minor ELSE 0 END AS minor
        FROM participations p LEFT JOIN (${RECORDED}) AS r ON r.participation_id = p.id
        UNION ALL SELECT provider_code, currency,
          CASE direction WHEN 'RECEIVED' THEN recovered_minor - amount_minor ELSE amount_minor END
        FROM investment_provider_payments
        UNION ALL SELECT provider_code, currency, -amount_minor FROM investment_provider_write_offs
      ), due AS (
        SELECT 'clearing_provider_' || provider_code AS account, currency, sum(minor) AS minor FROM moved GROUP BY 1, 2
      ), booked AS (
        SELECT account, currency, -sum(amount_minor) AS minor FROM ledger_entries
        WHERE account ^@ 'clearing_provider_' GROUP BY 1, 2
      )
      SELECT concat_ws(' ', account, currency) AS entity,
        format('%s is there, %s is booked', coalesce(due.minor, 0), coalesce(booked.minor, 0)) AS detail
      FROM due FULL JOIN booked USING (account, currency)
      WHERE coalesce(due.minor, 0) <> coalesce(booked.minor, 0)`,
  },
  {
    id: 'providers.pay-what-is-booked',
    says: 'Each payment and each write-off of a provider has its transfer, and each such transfer its row.',
    sql: `SELECT coalesce(p.id::text, ${columnsAsText('t')}) AS entity,
        CASE WHEN p.id IS NULL THEN 'it is booked, and there is nothing that it is for' ELSE 'it is not booked' END AS detail
      FROM (
        SELECT id, 'provider-payment' AS kind, provider_code AS subject_id, bank_reference AS part
        FROM investment_provider_payments
        UNION ALL SELECT id, 'provider-write-off', id::text, '' FROM investment_provider_write_offs
      ) AS p
      FULL JOIN (
        SELECT kind, subject_id, part FROM ledger_transfers t
        WHERE ${isOf('t', 'provider-payment', 'provider-write-off')}
      ) AS t ON (t.kind, t.subject_id, t.part) = (p.kind, p.subject_id, p.part)
      WHERE p.id IS NULL OR t.kind IS NULL`,
  },
  {
    id: 'providers.cost-what-is-written-off',
    says: 'What providers have cost us, in the account of losses, is what was written off less what they have paid of that since.',
    sql: `WITH due AS (
        SELECT currency, sum(minor) AS minor FROM (
          SELECT currency, amount_minor AS minor FROM investment_provider_write_offs
          UNION ALL SELECT currency, -recovered_minor FROM investment_provider_payments
        ) AS rows GROUP BY currency
      ), booked AS (
        SELECT e.currency, -sum(e.amount_minor) AS minor FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id
        WHERE ${isOf('t', 'provider-payment', 'provider-write-off')} AND e.account = 'losses' GROUP BY e.currency
      )
      SELECT currency AS entity,
        format('%s is due, %s is booked', coalesce(due.minor, 0), coalesce(booked.minor, 0)) AS detail
      FROM due FULL JOIN booked USING (currency) WHERE coalesce(due.minor, 0) <> coalesce(booked.minor, 0)`,
  },
  {
    id: 'providers.recover-what-is-written-off',
    says: 'No provider has paid more of its write-offs than was written off.',
    sql: `SELECT concat_ws(' ', provider_code, currency) AS entity, format('%s too much', -s.unrecovered_minor) AS detail
      FROM (SELECT DISTINCT provider_code, currency FROM investment_provider_payments WHERE recovered_minor > 0) AS p
      CROSS JOIN LATERAL investment_provider_standing(provider_code, currency) AS s WHERE s.unrecovered_minor < 0`,
  },
];
