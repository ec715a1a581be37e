import type { Attributes } from 'sequelize';
import { paymentEventProcess } from '../../../workflows/commerce/payment-event/payment-event.contract';
import { BY_HAND } from '../../../workflows/commerce/payout/transfer-out.rules';
import { providerEventProcess } from '../../../workflows/investment/provider-event/provider-event.contract';
import { UUID_PATTERN } from '../../../workflows/kit/values/uuid.rules';
import { poolProcess } from '../../../workflows/partners/pool/pool.contract';
import { openNoteText } from '../idempotency/request-note.writes';
import { isAboutPayer } from '../webhook/reported-payable.reads';
import { isAboutUser } from '../webhook/webhook-event-user.reads';
import { NEEDS_TRANSFER } from '../../commerce/refund/payment-refund.reads';
import { takesPartInPools } from '../../partners/membership/own-partner.reads';
import { processes } from '../../program/processes';
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
  /** The run of the pool that it is about, once that is counted. */
  poolRunId: string | null;
  /** True if a person may send the money by hand and settle it. */
  needsTransfer: boolean;
  /** The words of the last decision (null also where their key is missing), and who made it. */
  note: string | null;
  decidedBy: string | null;
  decidedByEmail: string | null;
};

/** SQL for the id in an entry, which may be no UUID. */
const ENTITY = `CASE WHEN entity_id ~ '^${UUID_PATTERN}$' THEN entity_id::uuid END`;

/** SQL that tells whether `row` of a table is the one that the process of an entry drives. */
const isRow = (table: string, row: string): string =>
  `p.type = ANY ('{${processes
    .filter(({ drives }) => drives?.table === table)
    .map(({ type }) => type)
    .join()}}') AND ${row}.id = p.entity`;

/** SQL for the money of the row that the process of an entry drives, as its contract says. */
const MONEY = [
  ...new Map(processes.flatMap(({ drives }) => (drives?.amount ? [[drives.table, drives.amount]] : []))),
]
  .map(
    ([table, amount]) =>
      `SELECT coalesce(${[amount].flat().join(', ')}) AS amount_minor, currency FROM ${table} WHERE ${isRow(table, table)}`,
  )
  .join(' UNION ALL ');

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
  const found = await rows<ParkedProcessView & { noteId: string | null; sealedNote: Buffer | null }>(
    db,
    `SELECT p.workflow_id, p.type, p.entity_id, p.reason, p.last_error, p.since, p.state, p.attempts, p.retried_at,
       p.run_id, p.label, p.order_id, o.number AS order_number, u.id AS user_id, u.email,
       pool.id AS pool_run_id, coalesce(money.amount_minor, unpaid.total_minor) AS amount_minor, coalesce(money.currency, unpaid.currency) AS currency,
       coalesce(${NEEDS_TRANSFER}, ${sentByHand('t')}, ${sentByHand('v')}, false) AS needs_transfer,
       n.id AS note_id, n.text AS sealed_note, n.actor_id AS decided_by, d.email AS decided_by_email
     FROM (SELECT p.*, ${ENTITY} AS entity ${matching}
           ORDER BY p.since, p.workflow_id LIMIT ${bind(limit)} OFFSET ${bind(offset)}) AS p
     LEFT JOIN payment_refunds r ON ${isRow('payment_refunds', 'r')}
     LEFT JOIN payment_captures c ON c.id = r.capture_id
     LEFT JOIN payouts t ON ${isRow('payouts', 't')}
     LEFT JOIN investment_withdrawals v ON ${isRow('investment_withdrawals', 'v')}
     LEFT JOIN LATERAL (${MONEY}) AS money ON true
     LEFT JOIN pool_runs pool ON p.type = '${poolProcess.type}' AND p.entity_id = lower(pool.kind) || ':' || pool.period
     LEFT JOIN orders o ON o.id = p.order_id
     LEFT JOIN orders unpaid ON unpaid.id = o.id AND o.status = 'PENDING_PAYMENT'
     LEFT JOIN users u ON u.id = coalesce(p.user_id, o.user_id)
     LEFT JOIN request_notes n ON n.id = p.note_id
     LEFT JOIN users d ON d.id = n.actor_id
     ORDER BY p.since, p.workflow_id`,
    values,
  );
  return {
    total: counted?.total ?? 0,
    processes: found.map(({ noteId, sealedNote, ...entry }) => ({
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

/** The words for the matter of this person that a listed process decides on, of which nobody decides on their own; null: it is none. */
export async function ownMatter(db: Db, workflowId: string, userId: string): Promise<string | null> {
  const listed = await firstRow<Pick<Attributes<ParkedProcess>, 'type' | 'entityId' | 'userId'>>(
    db,
    `SELECT p.type, p.entity_id, coalesce(p.user_id, o.user_id) AS user_id
       FROM parked_processes p LEFT JOIN orders o ON o.id = p.order_id WHERE p.workflow_id = $1`,
    [workflowId],
  );
  const matter = processes.find(({ type }) => type === listed?.type)?.ownMatter;
  if (!listed || matter === undefined) return null;
  if (listed.userId === userId) return matter;
  const isTheirs =
    listed.type === poolProcess.type
      ? await takesPartInPools(db, userId)
      : await isInOwnReport(db, listed, userId);
  return isTheirs ? matter : null;
}

/** True if a listed process applies a report of a provider that names this person, what they pay for or invested, or may do so. */
async function isInOwnReport(
  db: Db,
  { type, entityId }: Pick<Attributes<ParkedProcess>, 'type' | 'entityId'>,
  userId: string,
): Promise<boolean> {
  if (type === providerEventProcess.type) return isAboutUser(db, entityId, userId);
  return type === paymentEventProcess.type && (await isAboutPayer(db, entityId, userId));
}
