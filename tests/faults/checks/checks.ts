import { setTimeout as pause } from 'node:timers/promises';
import { untrueQuantities } from './check-quantities';
import { untrueMemberships } from './check-memberships';
import { untrueTopUps } from './check-top-ups';
import { untrueParticipations } from './check-participations';
import { untrueVerifications } from './check-verifications';
import { brokenInvariants } from '../../../db/invariants/broken.reads';
import type { Broken } from '../../../db/invariants/invariant';
import { rows, type Db } from '../../../db/sql/query';
import { checkProcesses } from '../../../workers/checks/check-processes';
import type { ClientLog, Entry, Operation } from '../requests/client-log';
import type { Stack } from '../platform/stack';

/** Nothing runs when this is checked, so no deadline may have passed for longer than this. */
const PATIENCE_SECONDS = 60;
const GRACE_SECONDS = 5;
const SETTLED_WITHIN_MS = 60_000;

/** Refusals that a buyer's journey may rightly get. */
const rightfulRefusals: Readonly<Partial<Record<Operation, readonly string[]>>> = {
  add: ['INSUFFICIENT_STOCK', 'MAX_QUANTITY_EXCEEDED', 'PRODUCT_UNAVAILABLE'],
  checkout: ['CART_EMPTY', 'INSUFFICIENT_STOCK', 'ITEMS_UNAVAILABLE', 'INVALID_COUPON'],
  pay: ['NOT_PAYABLE'],
  cancel: ['CANNOT_CANCEL'],
  // A move whose answer was lost is already made when it is requested again.
  move: ['VALIDATION_ERROR'],
  requestRefund: ['CANNOT_REFUND'],
  approveRefund: ['NOT_PENDING'],
  rejectRefund: ['NOT_PENDING'],
  // Uploads have no key: one whose answer was lost counts.
  uploadDocument: ['MAX_ATTEMPTS'],
  // Decisions at once: one is made.
  releaseKyc: ['NOT_REVIEWABLE'],
  requestKycInfo: ['NOT_REVIEWABLE'],
  approveKyc: ['NOT_REVIEWABLE'],
  rejectKyc: ['NOT_REVIEWABLE'],
  // It was not paid, or its provider has paid it out.
  withdraw: ['ALREADY_WITHDRAWN', 'WITHDRAWAL_NOT_ALLOWED'],
  // The first request was answered too late, and paid meanwhile.
  join: ['ALREADY_PARTNER'],
  cancelTopUp: ['CANNOT_CANCEL'],
};

/** A line for each problem after a scenario; empty if there is none. */
export async function findProblems(stack: Stack, log: ClientLog): Promise<string[]> {
  const broken = [
    ...(await brokenInvariants(stack.db, { patienceSeconds: PATIENCE_SECONDS })),
    ...(await lastingProcessProblems(stack)),
  ];
  return [
    ...broken.map(({ invariant, entity, detail }) => `${invariant} ${entity}: ${detail}`),
    ...(await untrueAnswers(stack.db, log)),
    ...unexpectedAnswers(log),
  ];
}

/** Problems that last: a process may take a moment to learn what its row says, but not a minute. */
async function lastingProcessProblems({ temporal, db }: Stack): Promise<Broken[]> {
  const deadline = Date.now() + SETTLED_WITHIN_MS;
  for (;;) {
    const broken = await checkProcesses(temporal, db, { graceSeconds: GRACE_SECONDS });
    if (broken.length === 0 || Date.now() > deadline) return broken;
    await pause(1_000);
  }
}

/** Answers that no fault of ours may cause: internal errors and wrong refusals. */
function unexpectedAnswers({ entries }: ClientLog): string[] {
  return entries.flatMap(({ operation, userId, status, code, outcome, troubles }) => [
    ...(troubles.includes('500') ? [`${operation} of ${userId} was answered 500`] : []),
    ...(outcome === 'fail' && !(rightfulRefusals[operation] ?? []).includes(code ?? '')
      ? [`${operation} of ${userId} was refused: ${status} ${code}`]
      : []),
  ]);
}

interface MadeOrder {
  id: string;
  userId: string;
  key: string | null;
  status: string;
  placed: boolean;
}

/** Checks the answers that clients got: ok happened once, fail did not, unknown at most once. */
async function untrueAnswers(db: Db, log: ClientLog): Promise<string[]> {
  const checkouts = log.of('checkout');
  const keys = checkouts.flatMap(({ key }) => key ?? []);
  const made = await rows<MadeOrder>(
    db,
    `SELECT o.id, o.user_id, k.key, o.status, true AS placed
       FROM idempotency_keys k JOIN orders o ON o.id::text = k.minted ->> 'order' WHERE k.key = ANY ($1::text[])`,
    [keys],
  );
  const byKey = new Map(made.map((order) => [order.key, order]));
  return [
    ...checkouts.flatMap((entry) => untrueCheckout(entry, byKey.get(entry.key) ?? null)),
    ...(await strangeOrders(db, checkouts, made)),
    ...(await untrueQuantities(db, log)),
    ...(await untrueCancellations(db, log)),
    ...(await untrueDecisions(db, log)),
    ...(await untrueParticipations(db, log)),
    ...(await untrueVerifications(db, log)),
    ...(await untrueMemberships(db, log)),
    ...(await untrueTopUps(db, log)),
  ];
}

function untrueCheckout({ key, outcome, orderId }: Entry, order: MadeOrder | null): string[] {
  if (outcome === 'ok' && order?.id !== orderId)
    return [`checkout ${key} was answered with order ${orderId}; there is ${order?.id ?? 'none'}`];
  if (outcome === 'fail' && order) return [`checkout ${key} was refused; there is order ${order.id}`];
  return [];
}

/** Orders of these buyers that no request made: something was done twice. */
async function strangeOrders(db: Db, checkouts: Entry[], made: MadeOrder[]): Promise<string[]> {
  const buyers = [...new Set(checkouts.map(({ userId }) => userId))];
  const strange = await rows<{ id: string; userId: string }>(
    db,
    `SELECT o.id, o.user_id FROM orders o
      WHERE o.user_id = ANY ($1::uuid[]) AND o.id <> ALL ($2::uuid[])
        AND NOT EXISTS (SELECT 1 FROM idempotency_keys k WHERE k.minted ->> 'order' = o.id::text)`,
    [buyers, made.map(({ id }) => id)],
  );
  return strange.map(({ id, userId }) => `order ${id} of ${userId} was not requested`);
}

/** A buyer cancels an order under one key: the last answer must be true, however often it was requested. */
async function untrueCancellations(db: Db, log: ClientLog): Promise<string[]> {
  const cancelled = log.of('cancel');
  const orders = await rows<{ id: string; status: string; byBuyer: boolean }>(
    db,
    `SELECT o.id, o.status, EXISTS (SELECT 1 FROM order_status_changes c
        WHERE c.order_id = o.id AND c.status = 'CANCELLED' AND c.changed_by = o.user_id) AS by_buyer
     FROM orders o WHERE o.id = ANY ($1::uuid[])`,
    [cancelled.map(({ orderId }) => orderId)],
  );
  const found = new Map(orders.map((order) => [order.id, order]));
  return cancelled.flatMap(({ orderId, outcome, code }) => {
    const order = found.get(orderId ?? '');
    if (outcome === 'ok' && order?.status !== 'CANCELLED')
      return [`order ${orderId} was answered as cancelled; it is ${order?.status}`];
    if (outcome === 'fail' && order?.byBuyer)
      return [`cancelling order ${orderId} was refused with ${code}; its buyer has cancelled it`];
    return [];
  });
}

/** A refund has one decision, and only the administrator who made it was answered so. */
async function untrueDecisions(db: Db, log: ClientLog): Promise<string[]> {
  const said = (['approveRefund', 'rejectRefund'] as const).flatMap((operation) =>
    log.of(operation).filter(({ outcome }) => outcome === 'ok'),
  );
  const requests = await rows<{ orderId: string; status: string }>(
    db,
    'SELECT order_id, status FROM refund_requests WHERE order_id = ANY ($1::uuid[])',
    [said.map(({ orderId }) => orderId)],
  );
  const statusOf = new Map(requests.map(({ orderId, status }) => [orderId, status]));
  return said.flatMap(({ operation, orderId }) => {
    const status = statusOf.get(orderId ?? '') ?? 'not there';
    const isRejected = status === 'REJECTED';
    return isRejected === (operation === 'rejectRefund') && status !== 'PENDING_REVIEW'
      ? []
      : [`${operation} for order ${orderId} was answered as done; the request is ${status}`];
  });
}
