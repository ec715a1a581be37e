import { verifyAuditChain } from '../administration/audit/audit.reads';
import type { ComputedInvariant, Invariant } from './invariant';

/** Rules of messages, idempotent answers and the audit log. */
export const administrationInvariants: readonly (Invariant | ComputedInvariant)[] = [
  {
    id: 'outbox.goes-out',
    says: 'A message that is due is processed: sent, tried again later, or given up.',
    sql: `SELECT id AS entity, format('%s due since %s, tried %s times', reference, due_at, attempts) AS detail
      FROM outbox_messages WHERE status = 'WAITING' AND due_at < (SELECT overdue FROM clock)`,
  },
  {
    id: 'requests.make-one-order-each',
    says: 'No two Idempotency-Keys led to the same order.',
    sql: `SELECT minted ->> 'order' AS entity, count(*) || ' keys: ' || string_agg(key, ', ' ORDER BY key) AS detail
      FROM idempotency_keys WHERE minted ? 'order' GROUP BY minted ->> 'order' HAVING count(*) > 1`,
  },
  {
    id: 'requests.are-answered-truly',
    says: 'A checkout that was answered with an order made exactly that order, and a refused one made none.',
    sql: `SELECT w.key AS entity, format('answered %s with order %s; %s', w.status, coalesce(w.answered, 'none'),
        CASE WHEN o.id IS NULL THEN 'there is none' ELSE 'there is ' || o.id END) AS detail
      FROM (
        SELECT key, status, minted ->> 'order' AS minted,
          ((body #>> '{}')::jsonb) #>> '{data,orderId}' AS answered
        FROM idempotency_keys WHERE state = 'DONE' AND minted ? 'order'
      ) AS w LEFT JOIN orders o ON o.id::text = w.minted
      WHERE o.id::text IS DISTINCT FROM w.answered`,
  },
  {
    id: 'audit.chain-holds',
    says: 'Every audit record follows from the one before it, unaltered, and the end that was last seen is there.',
    async find(tx) {
      const { brokenAt, checked } = await verifyAuditChain(tx);
      return brokenAt === null
        ? []
        : [
            {
              entity: brokenAt,
              detail: `altered, or gone, or what was before it is; ${checked} records hold`,
            },
          ];
    },
  },
];
