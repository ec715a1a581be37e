import type { Broken } from '../../../db/invariants/invariant';
import { rows, type Db } from '../../../db/sql/query';

/** A client's knowledge of one request, however often it was sent. */
export interface LoggedCall {
  /** `checkout`, `cancel` and `transfer` are checked against the database; others are not. */
  operation: string;
  userId: string;
  /** The Idempotency-Key; null if there was none. */
  key: string | null;
  /** The order it was about, or the one it made. */
  orderId: string | null;
  /** ok: answered as done; fail: refused, so it must not have happened; unknown: not answered. */
  outcome: 'ok' | 'fail' | 'unknown';
}

/** Rules about the answers that clients got, by the id of the invariant. */
export const clientInvariants = {
  'client.ok-is-there': 'A request that was answered as done is done.',
  'client.fail-is-not-there': 'A request that was refused did not happen.',
  'client.unknown-is-there-once':
    'An unanswered request happened at most once, and nothing happened without a request.',
} as const;

/** An order, with the request that made it. */
interface Made {
  id: string;
  userId: string;
  key: string | null;
  status: string;
  paid: boolean;
  /** True if its buyer cancelled it. */
  cancelledByBuyer: boolean;
}

const nameOf = (userId: string, key: string | null): string => `${userId} ${key ?? ''}`;

/** Checks a log of clients' answers against the database, when no process is running. */
export async function checkClientLog(db: Db, log: readonly LoggedCall[]): Promise<Broken[]> {
  const made = await ordersOf(db, [...new Set(log.map(({ userId }) => userId))]);
  return [...untrueOks(log, made), ...untrueFails(log, made), ...unrequested(log, made)];
}

function ordersOf(db: Db, userIds: readonly string[]): Promise<Made[]> {
  return rows<Made>(
    db,
    `SELECT o.id, o.user_id, k.key, o.status, o.paid_at IS NOT NULL AS paid,
       EXISTS (SELECT 1 FROM order_status_changes h
         WHERE h.order_id = o.id AND h.status = 'CANCELLED' AND h.changed_by = o.user_id) AS cancelled_by_buyer
     FROM orders o
     LEFT JOIN idempotency_keys k ON k.minted ->> 'order' = o.id::text AND k.owner = 'user:' || o.user_id
     WHERE o.user_id = ANY ($1::uuid[]) ORDER BY o.id`,
    [userIds],
  );
}

function untrueOks(log: readonly LoggedCall[], made: Made[]): Broken[] {
  const invariant = 'client.ok-is-there';
  const byId = new Map(made.map((order) => [order.id, order]));
  return log
    .filter(({ outcome }) => outcome === 'ok')
    .flatMap(({ operation, userId, key, orderId }) => {
      const order = byId.get(orderId ?? '');
      const entity = orderId ?? nameOf(userId, key);
      if (operation === 'checkout' && (order?.userId !== userId || order.key !== key))
        return [
          { invariant, entity, detail: `ordered by ${nameOf(userId, key)}; stored is ${describe(order)}` },
        ];
      if (operation === 'cancel' && order?.status !== 'CANCELLED')
        return [{ invariant, entity, detail: `cancelled; stored is ${describe(order)}` }];
      if (operation === 'transfer' && !order?.paid)
        return [{ invariant, entity, detail: `its transfer was confirmed; stored is ${describe(order)}` }];
      return [];
    });
}

function untrueFails(log: readonly LoggedCall[], made: Made[]): Broken[] {
  const invariant = 'client.fail-is-not-there';
  const byRequest = new Map(made.map((order) => [nameOf(order.userId, order.key), order]));
  const mayBeCancelled = new Set(
    log.flatMap(({ operation, outcome, orderId }) =>
      operation === 'cancel' && outcome !== 'fail' ? [orderId] : [],
    ),
  );
  return log
    .filter(({ outcome }) => outcome === 'fail')
    .flatMap(({ operation, userId, key, orderId }) => {
      const ordered = key === null ? undefined : byRequest.get(nameOf(userId, key));
      if (operation === 'checkout' && ordered)
        return [{ invariant, entity: ordered.id, detail: `${nameOf(userId, key)} was refused it` }];
      const order = made.find(({ id }) => id === orderId);
      if (operation === 'cancel' && order?.cancelledByBuyer && !mayBeCancelled.has(order.id))
        return [
          { invariant, entity: order.id, detail: 'its buyer was refused to cancel it, and cancelled it' },
        ];
      return [];
    });
}

/** Orders without a request, except as many as went unanswered without a key. */
function unrequested(log: readonly LoggedCall[], made: Made[]): Broken[] {
  const checkouts = log.filter(({ operation }) => operation === 'checkout');
  const known = new Set(checkouts.flatMap(({ outcome, orderId }) => (outcome === 'ok' ? [orderId] : [])));
  const strange = made.filter(({ id, key }) => key === null && !known.has(id));
  return [...new Set(strange.map(({ userId }) => userId))].flatMap((userId) => {
    const unanswered = checkouts.filter(
      (call) => call.userId === userId && call.key === null && call.outcome === 'unknown',
    ).length;
    return strange
      .filter((order) => order.userId === userId)
      .slice(unanswered)
      .map(({ id }) => ({
        invariant: 'client.unknown-is-there-once',
        entity: id,
        detail: `${userId} did not request it`,
      }));
  });
}

const describe = (order: Made | undefined): string =>
  order ? `order ${order.id}, ${order.status}, by ${nameOf(order.userId, order.key)}` : 'nothing';
