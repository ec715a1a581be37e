import type { ParkedProcess } from '../parked-process.model';

/** Conditions on entries of the operators' list; one that is null does not narrow. */
export interface ParkedFilter {
  type: string | null;
  state: ParkedProcess['state'] | null;
  orderId: string | null;
  orderNumber: string | null;
  /** The account whose matter it is. */
  userId: string | null;
  /** The id of the thing that the process is about, as its entry has it. */
  entityId: string | null;
}

/** Binds a value and returns its placeholder. */
export type Bind = (value: unknown) => string;

/** The conditions as a fragment over `p`, an entry of `parked_processes`. */
export function parkedConditions(filter: ParkedFilter, bind: Bind): string {
  const { type, state, orderId, orderNumber, userId, entityId } = filter;
  const all = ['true'];
  if (type !== null) all.push(`p.type = ${bind(type)}`);
  if (state !== null) all.push(`p.state = ${bind(state)}`);
  if (orderId !== null) all.push(`p.order_id = ${bind(orderId)}::uuid`);
  if (orderNumber !== null)
    all.push(`p.order_id = (SELECT id FROM orders WHERE number = ${bind(orderNumber)})`);
  if (entityId !== null) all.push(`p.entity_id = ${bind(entityId)}`);
  if (userId !== null) {
    const user = bind(userId);
    all.push(`p.workflow_id IN (
      SELECT workflow_id FROM parked_processes WHERE user_id = ${user}::uuid
      UNION ALL SELECT workflow_id FROM parked_processes
        WHERE order_id IN (SELECT id FROM orders WHERE user_id = ${user}::uuid))`);
  }
  return all.join(' AND ');
}
