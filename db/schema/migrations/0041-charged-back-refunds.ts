import type { QueryInterface } from 'sequelize';

/** A chargeback can be lost for good; what it covers of a refund that was not sent has reached the buyer. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    ALTER TABLE chargebacks
      DROP CONSTRAINT chargebacks_status_check,
      ADD CONSTRAINT chargebacks_status_check CHECK (status IN ('TAKEN', 'LOST', 'RETURNED'));

    -- Of what is refunded: what reached the buyer by chargebacks, so that it counts once against the capture.
    ALTER TABLE payment_captures ADD COLUMN refunds_charged_back_minor bigint NOT NULL DEFAULT 0,
      ADD CONSTRAINT payment_captures_refunds_charged_back_check
        CHECK (refunds_charged_back_minor BETWEEN 0 AND least(refunded_minor, charged_back_minor));

    ALTER TABLE payment_refunds
      ADD COLUMN chargeback_id uuid
        CONSTRAINT payment_refunds_chargeback_fkey REFERENCES chargebacks (id),
      -- A chargeback of a part ends that part, which becomes a refund of its own.
      ADD COLUMN split_from uuid
        CONSTRAINT payment_refunds_split_from_fkey REFERENCES payment_refunds (id),
      DROP CONSTRAINT payment_refunds_status_check,
      ADD CONSTRAINT payment_refunds_status_check
        CHECK (status IN ('PROCESSING', 'COMPLETED', 'ABANDONED', 'CHARGED_BACK')),
      DROP CONSTRAINT payment_refunds_completed_check,
      ADD CONSTRAINT payment_refunds_completed_check
        CHECK ((status IN ('COMPLETED', 'CHARGED_BACK')) = (completed_at IS NOT NULL)
          AND (status = 'COMPLETED') = (num_nonnulls(provider_refund_id, settlement_reference) = 1)),
      ADD CONSTRAINT payment_refunds_chargeback_check CHECK (status <> 'CHARGED_BACK' OR chargeback_id IS NOT NULL),
      DROP CONSTRAINT payment_refunds_request_key;
    CREATE UNIQUE INDEX payment_refunds_request_key ON payment_refunds (refund_request_id) WHERE split_from IS NULL;
  `);
}

/**
 * What reached the buyer by a chargeback is owed again, as it was before. A part of a request's refund becomes one of the
 * capture's: the older version knows one refund a request.
 */
export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    INSERT INTO ledger_transfers (id, reference, created_at)
    SELECT gen_random_uuid(), 'payment-refund:' || id || ':owed:' || txid_current(), now() FROM payment_refunds WHERE status = 'CHARGED_BACK';
    INSERT INTO ledger_entries (transfer_id, account, currency, amount_minor, created_at)
    SELECT t.id, line.account, r.currency, line.sign * r.amount_minor, now()
    FROM payment_refunds r JOIN ledger_transfers t ON t.reference = 'payment-refund:' || r.id || ':owed:' || txid_current()
      CROSS JOIN (VALUES ('refunds', 1), ('losses', -1)) AS line (account, sign)
    WHERE r.status = 'CHARGED_BACK';

    DROP INDEX payment_refunds_request_key;
    UPDATE payment_refunds SET status = 'ABANDONED', completed_at = NULL WHERE status = 'CHARGED_BACK';
    UPDATE refund_requests q SET status = 'FAILED' WHERE status = 'COMPLETED' AND EXISTS (
      SELECT 1 FROM payment_refunds r WHERE r.refund_request_id = q.id AND r.status = 'ABANDONED');
    UPDATE orders o SET payment_status = CASE WHEN paid_at IS NULL THEN 'FAILED' ELSE 'PAID' END
    WHERE status = 'CANCELLED' AND payment_status = 'REFUNDED' AND EXISTS (
      SELECT 1 FROM payment_refunds r WHERE r.order_id = o.id AND r.status = 'ABANDONED');
    UPDATE payment_refunds SET reason = 'CANCELLATION', refund_request_id = NULL
    WHERE split_from IS NOT NULL AND refund_request_id IS NOT NULL;
    UPDATE chargebacks SET status = 'TAKEN' WHERE status = 'LOST';

    ALTER TABLE payment_refunds
      DROP CONSTRAINT payment_refunds_chargeback_check,
      DROP CONSTRAINT payment_refunds_completed_check,
      ADD CONSTRAINT payment_refunds_completed_check
        CHECK ((status = 'COMPLETED') = (completed_at IS NOT NULL)
          AND (status = 'COMPLETED') = (num_nonnulls(provider_refund_id, settlement_reference) = 1)),
      DROP CONSTRAINT payment_refunds_status_check,
      ADD CONSTRAINT payment_refunds_status_check CHECK (status IN ('PROCESSING', 'COMPLETED', 'ABANDONED')),
      ADD CONSTRAINT payment_refunds_request_key UNIQUE (refund_request_id),
      DROP COLUMN split_from, DROP COLUMN chargeback_id;
    ALTER TABLE payment_captures DROP COLUMN refunds_charged_back_minor;
    ALTER TABLE chargebacks
      DROP CONSTRAINT chargebacks_status_check,
      ADD CONSTRAINT chargebacks_status_check CHECK (status IN ('TAKEN', 'RETURNED'));
  `);
}
