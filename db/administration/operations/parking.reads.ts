import type { Attributes } from 'sequelize';
import { BY_HAND } from '../../../workflows/commerce/payout/transfer-out.rules';
import { openNoteText } from '../idempotency/request-note.writes';
import { isAboutPayer } from '../webhook/reported-payable.reads';
import { isAboutUser } from '../webhook/webhook-event-user.reads';
import { payablesOf, USER_ID } from '../../commerce/payment/payable';
import { NEEDS_TRANSFER } from '../../commerce/refund/payment-refund.reads';
import { takesPartInPools } from '../../partners/membership/own-partner.reads';
import { Unsealable } from '../../sealing/cipher';
import { firstRow, rows, type Db } from '../../sql/query';
import { table } from '../../sql/table';
import { ParkedProcess } from './parked-process.model';
import { parkedConditions, type ParkedFilter } from './waiting/parking-filter';

/** An entry of the operators' list with what it is about. */
export type ParkedProcessView = Omit<Attributes<ParkedProcess>, 'noteId'> & {
  orderNumber: string | null;
  email: string | null;
  /**
   * The money that waits: of a refund, a payout or a withdrawal its amount, of a participation the money invested, of an
   * order that is not paid its total.
   */
  amountMinor: number | null;
  currency: string | null;
  /** True if a person may send the money by hand and settle it. */
  needsTransfer: boolean;
  /** The words of the last decision (null also where their key is missing), and who made it. */
  note: string | null;
  decidedBy: string | null;
  decidedByEmail: string | null;
};

/** SQL for the id in an entry, which may be no UUID. */
const ENTITY = `CASE WHEN entity_id ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' THEN entity_id::uuid END`;

/** Types of processes whose entity is an account. */
const OF_ACCOUNTS = `'{registration,suspension,accountDeletion,partnerEntrance}'`;

/** SQL that tells whether a person has to send a transfer; null where the row is none. */
const sentByHand = (transfer: string): string =>
  `(${transfer}.status = 'PROCESSING' AND ${transfer}.provider = '${BY_HAND}')`;

/** Entries that are counted at least, if so many match; on a later page, those up to the next page. */
const MOST_COUNTED = 10_000;

/**
 * One page of the processes that wait for a person, longest wait first; `total` counts those that match, up to a bound that no
 * page reaches.
 */
export async function parkedProcesses(
  db: Db,
  filter: ParkedFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; processes: ParkedProcessView[] }> {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const matching = `FROM parked_processes p WHERE ${parkedConditions(filter, bind)}`;
  const bound = Math.max(MOST_COUNTED, offset + limit + 1);
  const counted = await firstRow<{ total: number }>(
    db,
    `SELECT count(*)::int AS total FROM (SELECT 1 ${matching} LIMIT ${bound}) AS counted`,
    values,
  );
  const processes = await rows<ParkedProcessView & { noteId: string | null; sealedNote: Buffer | null }>(
    db,
    `SELECT p.workflow_id, p.type, p.entity_id, p.reason, p.last_error, p.since, p.state, p.attempts, p.retried_at,
       p.run_id, p.order_id, o.number AS order_number, u.id AS user_id, u.email,
       coalesce(r.amount_minor, q.approved_minor, q.requested_minor, unpaid.total_minor, w.amount_minor, t.amount_minor,
         v.net_minor, i.amount_minor) AS amount_minor,
       coalesce(r.currency, q.currency, unpaid.currency, w.currency, t.currency, v.currency, i.currency) AS currency,
       coalesce(${NEEDS_TRANSFER}, ${sentByHand('t')}, ${sentByHand('v')}, false) AS needs_transfer,
       n.id AS note_id, n.text AS sealed_note, n.actor_id AS decided_by, d.email AS decided_by_email
     FROM (SELECT p.*, ${ENTITY} AS entity ${matching}
           ORDER BY p.since, p.workflow_id LIMIT ${bind(limit)} OFFSET ${bind(offset)}) AS p
     LEFT JOIN payment_refunds r ON p.type = 'paymentRefund' AND r.id = p.entity
     LEFT JOIN payment_captures c ON c.id = r.capture_id
     LEFT JOIN payouts t ON p.type IN ('payout', 'walletWithdrawal') AND t.id = p.entity
     LEFT JOIN investment_withdrawals v ON p.type = 'withdrawal' AND v.id = p.entity
     LEFT JOIN participations i ON i.id = coalesce(r.participation_id, CASE WHEN p.type = 'participation' THEN p.entity END)
     LEFT JOIN partner_entrances f ON f.id = r.entrance_id
     LEFT JOIN top_ups w ON w.id = coalesce(r.top_up_id, CASE WHEN p.type = 'topUp' THEN p.entity END)
     LEFT JOIN refund_requests q ON p.type = 'refundRequest' AND q.id = p.entity
     LEFT JOIN orders o ON o.id = p.order_id
     LEFT JOIN orders unpaid ON unpaid.id = o.id AND o.status = 'PENDING_PAYMENT'
     LEFT JOIN kyc_verifications k ON p.type = 'kycReview' AND k.id = p.entity
     LEFT JOIN users u ON u.id = coalesce(o.user_id, i.user_id, f.user_id, w.user_id, t.user_id, v.user_id, k.user_id, p.user_id,
       CASE WHEN p.type = ANY (${OF_ACCOUNTS}) THEN p.entity END)
     LEFT JOIN request_notes n ON n.id = p.note_id
     LEFT JOIN users d ON d.id = n.actor_id
     ORDER BY p.since, p.workflow_id`,
    values,
  );
  return {
    total: counted?.total ?? 0,
    processes: processes.map(({ noteId, sealedNote, ...entry }) => ({
      ...entry,
      note: noteId && sealedNote && wordsOf(db, noteId, sealedNote),
    })),
  };
}

/** A note that nobody can read hides no entry. */
function wordsOf(db: Db, noteId: string, sealed: Buffer): string | null {
  try {
    return openNoteText(db, noteId, sealed);
  } catch (error) {
    if (error instanceof Unsealable) return null;
    throw error;
  }
}

/** The entries of these processes on the operators' list, by the id of the process. */
export async function parkedAmong(
  db: Db,
  workflowIds: readonly string[],
): Promise<Map<string, Pick<Attributes<ParkedProcess>, 'since' | 'reason' | 'state'>>> {
  if (workflowIds.length === 0) return new Map();
  const columns = ['workflowId', 'since', 'reason', 'state'] as const;
  const found = await table(db, ParkedProcess).all(columns, { workflowId: workflowIds });
  return new Map(found.map(({ workflowId, ...entry }) => [workflowId, entry]));
}

/** The state of this process on the list; null when it is not on it. */
export async function parkedState(db: Db, workflowId: string): Promise<ParkedProcess['state'] | null> {
  return (await table(db, ParkedProcess).one(['state'], { workflowId }))?.state ?? null;
}

/** Matters of a person that they do not decide on themselves. */
export type OwnMatter = 'payout' | 'pool' | 'refund' | 'report' | 'verification' | 'withdrawal';

/** The matter of this person that a listed process decides on, by which nobody decides on their own; null: it is none. */
export async function ownMatter(db: Db, workflowId: string, userId: string): Promise<OwnMatter | null> {
  const found = await firstRow<{ matter: OwnMatter }>(
    db,
    `SELECT CASE p.type WHEN 'kycReview' THEN 'verification' WHEN 'payout' THEN 'payout'
         WHEN 'paymentEvent' THEN 'report' WHEN 'providerEvent' THEN 'report'
         WHEN 'paymentRefund' THEN 'refund' WHEN 'refundRequest' THEN 'refund' ELSE 'withdrawal' END AS matter
       FROM (SELECT type, order_id, user_id, ${ENTITY} AS entity FROM parked_processes WHERE workflow_id = $1) AS p
       LEFT JOIN kyc_verifications k ON p.type = 'kycReview' AND k.id = p.entity
       LEFT JOIN payouts t ON p.type IN ('payout', 'walletWithdrawal') AND t.id = p.entity
       LEFT JOIN investment_withdrawals v ON p.type = 'withdrawal' AND v.id = p.entity
       LEFT JOIN refund_requests q ON p.type = 'refundRequest' AND q.id = p.entity
       LEFT JOIN payment_refunds r ON p.type = 'paymentRefund' AND r.id = p.entity ${payablesOf('r')}
       LEFT JOIN orders b ON p.type = 'paymentEvent' AND b.id = p.order_id
      WHERE coalesce(k.user_id, t.user_id, v.user_id, q.user_id, b.user_id, ${USER_ID},
        CASE WHEN p.type IN ('paymentEvent', 'providerEvent') THEN p.user_id END) = $2`,
    [workflowId, userId],
  );
  if (found) return found.matter;
  const listed = await table(db, ParkedProcess).one(['type', 'entityId'], { workflowId });
  if (listed?.type === 'pool') return (await takesPartInPools(db, userId)) ? 'pool' : null;
  return listed && (await isInOwnReport(db, listed, userId)) ? 'report' : null;
}

/** True if a listed process applies a report of a provider that names this person, what they pay for or invested, or may do so. */
async function isInOwnReport(
  db: Db,
  { type, entityId }: Pick<Attributes<ParkedProcess>, 'type' | 'entityId'>,
  userId: string,
): Promise<boolean> {
  if (type === 'providerEvent') return isAboutUser(db, entityId, userId);
  return type === 'paymentEvent' && (await isAboutPayer(db, entityId, userId));
}
