import type { Attributes } from 'sequelize';
import { NEEDS_TRANSFER } from '../../commerce/refund/payment-refund.reads';
import { firstRow, rows, type Db } from '../../sql/query';
import { table } from '../../sql/table';
import { ParkedProcess } from './parked-process.model';

/** An entry of the operators' list with what it is about. */
export type ParkedProcessView = Omit<Attributes<ParkedProcess>, 'noteId' | 'runId'> & {
  orderNumber: string | null;
  userId: string | null;
  email: string | null;
  /** The money that waits: of a refund its amount, of an order that is not paid its total. */
  amountMinor: number | null;
  currency: string | null;
  /** True if a person may send the money by hand and settle it. */
  needsTransfer: boolean;
  /** The words of the last decision, and who made it. */
  note: string | null;
  decidedBy: string | null;
  decidedByEmail: string | null;
};

/** Conditions on entries; one that is null does not narrow. */
export interface ParkedFilter {
  type: string | null;
  state: ParkedProcess['state'] | null;
  orderId: string | null;
  orderNumber: string | null;
}

const MATCHES = `($1::text IS NULL OR p.type = $1) AND ($2::text IS NULL OR p.state = $2)
  AND ($3::uuid IS NULL OR p.order_id = $3)
  AND ($4::text IS NULL OR p.order_id = (SELECT id FROM orders WHERE number = $4))`;

/** SQL for the id in an entry, which may be no UUID. */
const ENTITY = `CASE WHEN entity_id ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' THEN entity_id::uuid END`;

/** Types of processes whose entity is an account. */
const OF_ACCOUNTS = `'{registration,suspension,accountDeletion}'`;

/** One page of the processes that wait for a person, longest wait first; `total` counts all that match. */
export async function parkedProcesses(
  db: Db,
  { type, state, orderId, orderNumber }: ParkedFilter,
  page: { limit: number; offset: number },
): Promise<{ total: number; processes: ParkedProcessView[] }> {
  const bind = [type, state, orderId, orderNumber];
  const counted = await firstRow<{ total: number }>(
    db,
    `SELECT count(*)::int AS total FROM parked_processes p WHERE ${MATCHES}`,
    bind,
  );
  const processes = await rows<ParkedProcessView>(
    db,
    `SELECT p.workflow_id, p.type, p.entity_id, p.reason, p.last_error, p.since, p.state, p.attempts, p.retried_at,
       p.order_id, o.number AS order_number, u.id AS user_id, u.email,
       coalesce(r.amount_minor, q.approved_minor, q.requested_minor, unpaid.total_minor) AS amount_minor,
       coalesce(r.currency, q.currency, unpaid.currency) AS currency,
       coalesce(${NEEDS_TRANSFER}, false) AS needs_transfer,
       n.text AS note, n.actor_id AS decided_by, d.email AS decided_by_email
     FROM (SELECT *, ${ENTITY} AS entity FROM parked_processes p WHERE ${MATCHES}
           ORDER BY since, workflow_id LIMIT $5 OFFSET $6) AS p
     LEFT JOIN payment_refunds r ON p.type = 'paymentRefund' AND r.id = p.entity
     LEFT JOIN payment_captures c ON c.id = r.capture_id
     LEFT JOIN refund_requests q ON p.type = 'refundRequest' AND q.id = p.entity
     LEFT JOIN orders o ON o.id = p.order_id
     LEFT JOIN orders unpaid ON unpaid.id = o.id AND o.status = 'PENDING_PAYMENT'
     LEFT JOIN users u ON u.id = coalesce(o.user_id, CASE WHEN p.type = ANY (${OF_ACCOUNTS}) THEN p.entity END)
     LEFT JOIN request_notes n ON n.id = p.note_id
     LEFT JOIN users d ON d.id = n.actor_id
     ORDER BY p.since, p.workflow_id`,
    [...bind, page.limit, page.offset],
  );
  return { total: counted?.total ?? 0, processes };
}

/** The entries of these processes on the operators' list. */
export const parkedAmong = (
  db: Db,
  workflowIds: readonly string[],
): Promise<Pick<Attributes<ParkedProcess>, 'workflowId' | 'since' | 'reason' | 'state'>[]> =>
  table(db, ParkedProcess).all(['workflowId', 'since', 'reason', 'state'], { workflowId: workflowIds });

/** The state of this process on the list; null when it is not on it. */
export async function parkedState(db: Db, workflowId: string): Promise<ParkedProcess['state'] | null> {
  return (await table(db, ParkedProcess).one(['state'], { workflowId }))?.state ?? null;
}
