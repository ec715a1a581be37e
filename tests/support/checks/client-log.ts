import type { Broken } from '../../../db/invariants/invariant';
import { rows, type Db } from '../../../db/sql/query';

/** What a client knows of one thing that it asked for, however often it asked. */
export interface LoggedCall {
  /** `checkout`, `cancel` and `transfer` are held against what is there; others are left alone. */
  operation: string;
  userId: string;
  /** The Idempotency-Key, where there was one. */
  key: string | null;
  /** The order it was about, or the one it made. */
  orderId: string | null;
  /** ok: done, and told so; fail: refused, so it must not have happened; unknown: nobody said. */
  outcome: 'ok' | 'fail' | 'unknown';
}

/** What clients were told, by the id of the invariant. */
export const clientInvariants = {
  'client.ok-is-there': 'What a client was told is done, is done.',
  'client.fail-is-not-there': 'What a client was refused did not happen.',
  'client.unknown-is-there-once':
    'What nobody answered happened once at most, and nothing happened that nobody asked for.',
} as const;

/** An order, with the wish that led to it. */
interface Made {
  id: string;
  userId: string;
  key: string | null;
  status: string;
  paid: boolean;
  /** Whether its buyer cancelled it. */
  cancelledByBuyer: boolean;
}

const nameOf = (userId: string, key: string | null): string => `${userId} ${key ?? ''}`;

/** Holds a log of what clients were told against the database, when everything is quiet. */
export async function checkClientLog(db: Db, log: readonly LoggedCall[]): Promise<Broken[]> {
  const made = await ordersOf(db, [...new Set(log.map(({ userId }) => userId))]);
  return [...untrueOks(log, made), ...untrueFails(log, made), ...unasked(log, made)];
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
          { invariant, entity, detail: `ordered by ${nameOf(userId, key)}; there is ${describe(order)}` },
        ];
      if (operation === 'cancel' && order?.status !== 'CANCELLED')
        return [{ invariant, entity, detail: `cancelled; there is ${describe(order)}` }];
      if (operation === 'transfer' && !order?.paid)
        return [{ invariant, entity, detail: `its transfer was confirmed; there is ${describe(order)}` }];
      return [];
    });
}

function untrueFails(log: readonly LoggedCall[], made: Made[]): Broken[] {
  const invariant = 'client.fail-is-not-there';
  const byWish = new Map(made.map((order) => [nameOf(order.userId, order.key), order]));
  const mayBeCancelled = new Set(
    log.flatMap(({ operation, outcome, orderId }) =>
      operation === 'cancel' && outcome !== 'fail' ? [orderId] : [],
    ),
  );
  return log
    .filter(({ outcome }) => outcome === 'fail')
    .flatMap(({ operation, userId, key, orderId }) => {
      const ordered = key === null ? undefined : byWish.get(nameOf(userId, key));
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

/** Orders that no wish of their buyer led to, beyond those that went unanswered without a key. */
function unasked(log: readonly LoggedCall[], made: Made[]): Broken[] {
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
        detail: `${userId} did not ask for it`,
      }));
  });
}

const describe = (order: Made | undefined): string =>
  order ? `order ${order.id}, ${order.status}, by ${nameOf(order.userId, order.key)}` : 'none';
