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

/** Binds a value and answers its placeholder. */
export type Bind = (value: unknown) => string;

/** Tables whose rows are what a process is about, each with the column of its user. */
const OWNED = [
  'kyc_verifications',
  'investment_withdrawals',
  'participations',
  'payouts',
  'refund_requests',
  'top_ups',
] as const;

/** Tables of things that people pay for besides orders; their refunds have no order. */
const PAID_FOR = [
  { table: 'participations', column: 'participation_id' },
  { table: 'partner_entrances', column: 'entrance_id' },
  { table: 'top_ups', column: 'top_up_id' },
] as const;

/** SQL for the ids that an entry can have for a matter of this user; each part reads an index of the user's rows. */
const entitiesOf = (user: string): string =>
  [
    `SELECT ${user}::text`,
    ...OWNED.map((table) => `SELECT id::text FROM ${table} WHERE user_id = ${user}::uuid`),
    ...PAID_FOR.map(
      ({ table, column }) =>
        `SELECT r.id::text FROM ${table} x JOIN payment_refunds r ON r.${column} = x.id WHERE x.user_id = ${user}::uuid`,
    ),
  ].join(' UNION ALL ');

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
      SELECT workflow_id FROM parked_processes WHERE entity_id IN (${entitiesOf(user)})
      UNION ALL SELECT workflow_id FROM parked_processes
        WHERE order_id IN (SELECT id FROM orders WHERE user_id = ${user}::uuid)
      UNION ALL SELECT workflow_id FROM parked_processes WHERE user_id = ${user}::uuid)`);
  }
  return all.join(' AND ');
}
