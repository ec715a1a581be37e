import type { QueryInterface } from 'sequelize';

/** Money at each provider has an account of its own; what was booked before moves there by transfers of correction. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    ALTER TABLE ledger_entries
      DROP CONSTRAINT ledger_entries_account_check,
      ADD CONSTRAINT ledger_entries_account_check CHECK (
        CASE WHEN user_id IS NULL
          THEN account IN ('sales', 'tax', 'shipping', 'payments', 'payouts', 'commission_expense', 'pool_weekly',
            'pool_monthly', 'investments', 'penalties', 'entrance_fees', 'forfeited', 'refunds', 'provider_fees', 'losses')
            OR account ~ '^clearing_[a-z0-9_-]{1,60}$'
          ELSE account IN ('wallet', 'partner_pending', 'partner_available', 'payout_hold')
        END);

    -- What the provider took for a chargeback, in the currency in which it keeps our account.
    ALTER TABLE chargebacks
      ADD COLUMN fee_minor bigint NOT NULL DEFAULT 0,
      ADD COLUMN fee_currency text
        CONSTRAINT chargebacks_fee_currency_check CHECK (fee_currency ~ '^[A-Z]{3}$'),
      ADD CONSTRAINT chargebacks_fee_check CHECK (fee_minor >= 0 AND (fee_minor = 0 OR fee_currency IS NOT NULL));

    CREATE TEMPORARY TABLE moved ON COMMIT DROP AS
    SELECT gen_random_uuid() AS transfer_id, 'clearing:' || t.reference AS reference, m.currency, m.lines
    FROM (
      SELECT 'order:' || order_id || ':payment' AS reference, currency, jsonb_build_object(
        'payments', amount_minor, 'clearing_' || provider, -amount_minor) AS lines
      FROM payment_captures WHERE applied
      UNION ALL
      SELECT 'capture:' || id, currency, jsonb_build_object(
        'payments', amount_minor, 'clearing_' || provider, -amount_minor)
      FROM payment_captures WHERE NOT applied
      UNION ALL
      SELECT 'payment-refund:' || r.id, r.currency, jsonb_build_object(
        'payments', -r.amount_minor, 'clearing_' || c.provider, r.amount_minor)
      FROM payment_refunds r JOIN payment_captures c ON c.id = r.capture_id WHERE r.status = 'COMPLETED'
      UNION ALL
      SELECT 'chargeback:' || id, currency, jsonb_build_object('refunds', amount_minor, 'losses', -amount_minor,
        'payments', -amount_minor, 'clearing_' || provider, amount_minor)
      FROM chargebacks
      UNION ALL
      SELECT 'chargeback:' || id || ':return', currency, jsonb_build_object('refunds', -amount_minor,
        'losses', amount_minor, 'payments', amount_minor, 'clearing_' || provider, -amount_minor)
      FROM chargebacks WHERE status = 'RETURNED'
      UNION ALL
      -- What a cancelled order did not send, the buyer's bank had taken: nothing of it is owed.
      SELECT 'order:' || o.id || ':cancellation', o.currency, jsonb_build_object(
        'refunds', c.refunded_minor - c.amount_minor, 'losses', c.amount_minor - c.refunded_minor)
      FROM orders o JOIN payment_captures c ON c.order_id = o.id AND c.applied
      WHERE o.status = 'CANCELLED' AND c.refunded_minor < c.amount_minor
    ) AS m JOIN ledger_transfers t ON t.reference = m.reference
    WHERE NOT EXISTS (SELECT 1 FROM ledger_transfers done WHERE done.reference = 'clearing:' || t.reference);

    INSERT INTO ledger_transfers (id, reference, created_at) SELECT transfer_id, reference, now() FROM moved;
    INSERT INTO ledger_entries (transfer_id, account, currency, amount_minor, created_at)
    SELECT transfer_id, line.key, currency, line.value::bigint, now()
    FROM moved CROSS JOIN LATERAL jsonb_each_text(lines) AS line ORDER BY reference, line.key;
  `);
}

/** The accounts that were there before cannot tell the providers apart, so entries are put together again. */
export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    ALTER TABLE ledger_entries DISABLE TRIGGER USER;
    ALTER TABLE ledger_transfers DISABLE TRIGGER USER;
    DELETE FROM ledger_entries e USING ledger_transfers t
      WHERE t.id = e.transfer_id AND t.reference LIKE 'clearing:%';
    DELETE FROM ledger_transfers WHERE reference LIKE 'clearing:%';
    UPDATE ledger_entries SET account = 'refunds' WHERE account = 'losses';
    UPDATE ledger_entries SET account = 'payments' WHERE account = 'provider_fees' OR starts_with(account, 'clearing_');
    ALTER TABLE ledger_transfers ENABLE TRIGGER USER;
    ALTER TABLE ledger_entries ENABLE TRIGGER USER;
    ALTER TABLE ledger_entries
      DROP CONSTRAINT ledger_entries_account_check,
      ADD CONSTRAINT ledger_entries_account_check CHECK (
        CASE WHEN user_id IS NULL
          THEN account IN ('sales', 'tax', 'shipping', 'payments', 'payouts', 'commission_expense', 'pool_weekly',
            'pool_monthly', 'investments', 'penalties', 'entrance_fees', 'forfeited', 'refunds')
          ELSE account IN ('wallet', 'partner_pending', 'partner_available', 'payout_hold')
        END);
    ALTER TABLE chargebacks DROP CONSTRAINT chargebacks_fee_check, DROP COLUMN fee_currency, DROP COLUMN fee_minor;
  `);
}
