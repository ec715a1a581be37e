import type { QueryInterface } from 'sequelize';

/** Transfers that answer no attempt, or are of another amount; and orders named after the method that paid them. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    ALTER TABLE payment_captures ALTER COLUMN attempt_id DROP NOT NULL;
    ALTER TABLE payment_captures ADD CONSTRAINT payment_captures_attempt_check
      CHECK (attempt_id IS NOT NULL OR (provider = 'bank' AND NOT applied));

    ALTER TABLE payment_refunds DROP CONSTRAINT payment_refunds_reason_check;
    ALTER TABLE payment_refunds ADD CONSTRAINT payment_refunds_reason_check
      CHECK (reason IN ('CANCELLATION', 'LATE_PAYMENT', 'DUPLICATE_PAYMENT', 'AMOUNT_MISMATCH', 'REFUND'));

    -- Money for an earlier attempt left the order with the method of the latest one.
    UPDATE orders o SET payment_method = a.method
    FROM payment_attempts a
    WHERE a.order_id = o.id AND a.status = 'PAID' AND a.method <> o.payment_method;
  `);
}

/** Returned transfers without an attempt are filed under the newest attempt of their order, as money was before. */
export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    UPDATE payment_refunds SET reason = 'DUPLICATE_PAYMENT' WHERE reason = 'AMOUNT_MISMATCH';
    ALTER TABLE payment_refunds DROP CONSTRAINT payment_refunds_reason_check;
    ALTER TABLE payment_refunds ADD CONSTRAINT payment_refunds_reason_check
      CHECK (reason IN ('CANCELLATION', 'LATE_PAYMENT', 'DUPLICATE_PAYMENT', 'REFUND'));

    ALTER TABLE payment_captures DROP CONSTRAINT payment_captures_attempt_check;
    UPDATE payment_captures c SET attempt_id = (
      SELECT a.id FROM payment_attempts a WHERE a.order_id = c.order_id ORDER BY a.sequence DESC LIMIT 1
    ) WHERE c.attempt_id IS NULL;
    ALTER TABLE payment_captures ALTER COLUMN attempt_id SET NOT NULL;
  `);
}
