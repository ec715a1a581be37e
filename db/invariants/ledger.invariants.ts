import { columnsAsText, isOf, KINDS, PARTED_KINDS } from '../ledger/reference-columns';
import type { Invariant } from './invariant';

/** Rules of the ledger: money is never created or lost, it only moves. */
export const ledgerInvariants: readonly Invariant[] = [
  {
    id: 'ledger.transfers-balance',
    says: 'The entries of a transfer sum to zero in each currency.',
    sql: `SELECT t.id AS entity, format('%s sums to %s %s', ${columnsAsText('t')}, sum(e.amount_minor), e.currency) AS detail
      FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id
      GROUP BY t.id, e.currency HAVING sum(e.amount_minor) <> 0`,
  },
  {
    id: 'ledger.transfers-have-entries',
    says: 'A transfer has entries, and an entry has its transfer.',
    sql: `SELECT coalesce(t.id, e.transfer_id) AS entity,
        CASE WHEN t.id IS NULL THEN 'entries without a transfer' ELSE ${columnsAsText('t')} || ' has no entries' END AS detail
      FROM ledger_transfers t
      FULL JOIN (SELECT DISTINCT transfer_id FROM ledger_entries) e ON e.transfer_id = t.id
      WHERE t.id IS NULL OR e.transfer_id IS NULL`,
  },
  {
    id: 'ledger.references-are-listed',
    says: 'A transfer is of a listed kind of event, and has a part if, and only if, its kind has parts.',
    sql: `SELECT t.id AS entity, format('the kind is %L, the part %L', t.kind, t.part) AS detail FROM ledger_transfers t
      WHERE t.kind NOT IN ${KINDS} OR (t.part <> '') <> (t.kind IN ${PARTED_KINDS})`,
  },
  {
    id: 'ledger.balances-are-sums',
    says: "A user's balance is the sum of its entries.",
    sql: `SELECT concat_ws(' ', user_id, account, currency) AS entity,
        format('the balance is %s, the entries make %s', coalesce(balance_minor, 0), coalesce(entries_minor, 0)) AS detail
      FROM ledger_balances
      FULL JOIN (
        SELECT user_id, account, currency, sum(amount_minor) AS entries_minor
        FROM ledger_entries WHERE user_id IS NOT NULL GROUP BY user_id, account, currency
      ) AS entries USING (user_id, account, currency)
      WHERE coalesce(balance_minor, 0) <> coalesce(entries_minor, 0)`,
  },
  {
    // Investment providers have clearing accounts of their own; what is invested here is passed on to them from our bank,
    // and what they owe arrives there.
    id: 'ledger.clearing-is-with-the-provider',
    says: "A provider's clearing account holds what came through it, less refunds, chargebacks, fees and what was paid out or passed on.",
    sql: `WITH moved AS (
        SELECT provider, currency, amount_minor AS minor FROM payment_captures
        UNION ALL
        SELECT CASE WHEN r.settlement_reference IS NULL THEN c.provider ELSE 'bank' END, r.currency, -r.amount_minor
        FROM payment_refunds r JOIN payment_captures c ON c.id = r.capture_id WHERE r.status = 'COMPLETED'
        UNION ALL SELECT provider, currency, -amount_minor FROM chargebacks WHERE status <> 'RETURNED'
        UNION ALL SELECT provider, fee_currency, -fee_minor FROM chargebacks WHERE fee_minor > 0
        UNION ALL SELECT t.subject_id, e.currency, e.amount_minor FROM ledger_transfers t
          JOIN ledger_entries e ON e.transfer_id = t.id
        WHERE ${isOf('t', 'fee')} AND e.account = 'provider_fees'
        UNION ALL SELECT provider, currency, -net_minor FROM investment_withdrawals
        WHERE status = 'COMPLETED' AND provider IS NOT NULL
        UNION ALL SELECT provider, currency, -amount_minor FROM payouts WHERE status = 'COMPLETED'
        UNION ALL SELECT 'bank', currency, -amount_minor FROM participations WHERE origin = 'PLATFORM' AND started_at IS NOT NULL
        UNION ALL SELECT 'bank', currency, CASE direction WHEN 'RECEIVED' THEN amount_minor ELSE -amount_minor END
        FROM investment_provider_payments
      ), held AS (
        SELECT 'clearing_' || provider AS account, currency, sum(minor) AS minor FROM moved GROUP BY 1, 2
      ), booked AS (
        SELECT account, currency, -sum(amount_minor) AS minor FROM ledger_entries
        WHERE starts_with(account, 'clearing_') AND NOT starts_with(account, 'clearing_provider_') GROUP BY 1, 2
      )
      SELECT concat_ws(' ', account, currency) AS entity,
        format('%s is there, %s is booked', coalesce(held.minor, 0), coalesce(booked.minor, 0)) AS detail
      FROM held FULL JOIN booked USING (account, currency)
      WHERE coalesce(held.minor, 0) <> coalesce(booked.minor, 0)`,
  },
  {
    id: 'ledger.refunds-are-what-is-owed',
    says: 'The account of refunds holds the money that is on its way to buyers or still owed to them.',
    sql: `SELECT currency AS entity, format('%s is owed, %s is booked', coalesce(due.minor, 0), coalesce(b.minor, 0)) AS detail
      FROM (
        SELECT currency, sum(amount_minor) AS minor FROM payment_refunds
        WHERE status IN ('PROCESSING', 'ABANDONED') GROUP BY currency
      ) AS due FULL JOIN (
        SELECT currency, sum(amount_minor) AS minor FROM ledger_entries WHERE account = 'refunds' GROUP BY currency
      ) AS b USING (currency)
      WHERE coalesce(due.minor, 0) <> coalesce(b.minor, 0)`,
  },
  {
    id: 'ledger.no-overdraft',
    says: 'No balance is below zero, except a partner balance that money was clawed back from.',
    sql: `SELECT concat_ws(' ', b.user_id, b.account, b.currency) AS entity, 'the balance is ' || b.balance_minor AS detail
      FROM ledger_balances b
      WHERE b.balance_minor < 0 AND NOT (b.account = 'partner_available' AND EXISTS (
        SELECT 1 FROM ledger_entries e JOIN ledger_transfers t ON t.id = e.transfer_id
        WHERE t.clawback AND e.user_id = b.user_id AND e.account = b.account AND e.currency = b.currency))`,
  },
];
