import { v7 } from 'uuid';
import type { Db } from '../../../../db/sql/query';
import { insert } from '../make/insert';
import { topUp, TOP_UP_MINOR } from './top-ups';

/** A top-up with its attempt, money that came, a chargeback, and a refund that this took, without their bookings. */
export async function withPayments(db: Db): Promise<{ id: string; userId: string; attemptId: string }> {
  const { id, userId } = await topUp(db);
  const [attemptId, captureId, chargebackId, at] = [v7(), v7(), v7(), new Date()];
  const of = { top_up_id: id, currency: 'USD', amount_minor: TOP_UP_MINOR };
  await insert(db, 'payment_attempts', {
    ...{ id: attemptId, ...of, sequence: 1, method: 'CARD', provider: 'sandbox', status: 'PENDING' },
    ...{ expires_at: at, created_at: at, updated_at: at },
  });
  await insert(db, 'payment_captures', {
    ...{ id: captureId, attempt_id: attemptId, provider: 'sandbox', provider_payment_id: v7() },
    ...{ ...of, applied: true, captured_at: at, charged_back_minor: TOP_UP_MINOR },
  });
  await insert(db, 'chargebacks', {
    ...{ id: chargebackId, capture_id: captureId, provider: 'sandbox', provider_chargeback_id: v7() },
    ...{ ...of, status: 'TAKEN', created_at: at, updated_at: at },
  });
  await insert(db, 'payment_refunds', {
    ...{ id: v7(), ...of, capture_id: captureId, reason: 'LATE_PAYMENT', created_at: at },
    ...{ status: 'CHARGED_BACK', chargeback_id: chargebackId, completed_at: at },
  });
  return { id, userId, attemptId };
}
