import { OPEN_PAYOUTS } from '../../../workflows/commerce/payout/payout.states';
import { literals } from '../../sql/query';
import type { RetentionRule } from './retention-rule';

/**
 * Settled rows only: delivered reports of payments without a running refund; then payments without reports; then refunds
 * of deleted payments.
 */
export const sandboxRules = (before: Date): RetentionRule[] => [
  {
    kind: 'sandboxRows',
    table: 'sandbox_events',
    expired: `delivered_at IS NOT NULL AND created_at < $1 AND EXISTS (
      SELECT 1 FROM sandbox_payments p WHERE p.id = payment_id AND p.created_at < $1 AND ${isSettled('p')})`,
    before,
  },
  {
    kind: 'sandboxRows',
    table: 'sandbox_payments',
    expired: `created_at < $1 AND ${isSettled('sandbox_payments')}
      AND NOT EXISTS (SELECT 1 FROM sandbox_events e WHERE e.payment_id = sandbox_payments.id)`,
    before,
  },
  {
    kind: 'sandboxRows',
    table: 'sandbox_refunds',
    expired: `created_at < $1
      AND NOT EXISTS (SELECT 1 FROM sandbox_payments p WHERE p.id::text = sandbox_refunds.payment_id)
      AND NOT EXISTS (SELECT 1 FROM payment_refunds r WHERE r.id::text = split_part(sandbox_refunds.key, ':', 1)
        AND r.status IN ('PROCESSING', 'ABANDONED'))`,
    before,
  },
  {
    kind: 'sandboxRows',
    table: 'sandbox_transfers',
    // Its statement lists them by the day of their end.
    expired: `ended_at < $1 AND NOT EXISTS (SELECT 1 FROM investment_withdrawals w
      WHERE sandbox_transfers.key LIKE w.id || '%' AND w.status = 'PROCESSING')
      AND NOT EXISTS (SELECT 1 FROM payouts p
        WHERE p.id::text = split_part(sandbox_transfers.key, ':', 1) AND p.status IN (${literals(OPEN_PAYOUTS)}))`,
    before,
  },
];

/** SQL that is true for a payment whose attempt is decided and that has no running refund. */
const isSettled = (payment: string): string => `NOT EXISTS (
    SELECT 1 FROM payment_attempts a WHERE a.id = ${payment}.payment_key AND a.status = 'PENDING')
  AND NOT EXISTS (
    SELECT 1 FROM payment_captures c JOIN payment_refunds r ON r.capture_id = c.id
    WHERE c.provider = 'sandbox' AND c.provider_payment_id = ${payment}.id::text
      AND r.status IN ('PROCESSING', 'ABANDONED'))`;
