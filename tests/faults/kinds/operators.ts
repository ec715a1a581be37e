import { randomUUID } from 'node:crypto';
import { rows } from '../../../db/sql/query';
import { sendOnce, type Answer } from '../requests/client';
import type { Fault, FaultContext } from '../fault';

/** Two administrators, who share a token here, enter one bank reference for two orders at the same moment. */
const oneReferenceTwice: Fault = {
  name: 'one bank reference is confirmed for two orders at once',
  journeys: { sendsTransfer: 80 },
  async inject(context) {
    await context.load;
    const waiting = await rows<{ id: string; amount: string }>(
      context.stack.db,
      `SELECT o.id, ((o.total_minor - o.partner_balance_minor) / 100.0)::text AS amount FROM orders o
       WHERE o.status = 'PENDING_PAYMENT' AND o.payment_method = 'BANK_TRANSFER' ORDER BY o.id DESC LIMIT 8`,
    );
    if (waiting.length < 2) throw new Error('fewer than two transfers are awaited');
    for (let i = 0; i + 1 < waiting.length; i += 2) {
      const reference = `BANK-${randomUUID()}`;
      const answers = await Promise.all(
        waiting
          .slice(i, i + 2)
          .map(({ id, amount }) => confirm(context, { id, amount: Number(amount), reference })),
      );
      const statuses = answers.map(({ status }) => status).sort();
      if (statuses.join() !== '200,400') throw new Error(`they were answered ${statuses.join(' and ')}`);
    }
  },
  async expect({ stack }) {
    const untrue = await rows<{ id: string }>(
      stack.db,
      `SELECT entity_id AS id FROM audit_records a JOIN orders o ON o.id::text = a.entity_id::text
       WHERE a.action = 'order.confirm-transfer' AND o.status IN ('PENDING_PAYMENT', 'CANCELLED')
         AND a.next ->> 'status' = 'PAID' AND NOT EXISTS (SELECT 1 FROM order_status_changes c
           WHERE c.order_id = o.id AND c.status = 'PAID')`,
    );
    return untrue.map(({ id }) => `order ${id} was recorded as paid by a transfer and is not`);
  },
};

function confirm(
  { stack, people }: FaultContext,
  { id, amount, reference }: { id: string; amount: number; reference: string },
): Promise<Answer> {
  return sendOnce(stack.frontPort, {
    method: 'POST',
    path: `/api/v1/admin/orders/${id}/payment`,
    body: { amount, transactionId: reference },
    headers: { authorization: `Bearer ${people.admin.token}`, 'idempotency-key': randomUUID() },
  });
}

/** Mistakes of administrators. */
export const operators: readonly Fault[] = [oneReferenceTwice];
