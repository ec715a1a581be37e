import type { MovementKind } from '../../../../workflows/commerce/reconciliation/reconciliation.rules';
import { isOf, shownReference } from '../../../ledger/reference-columns';

/**
 * Movements of ours of one kind, as a SELECT for the provider `$1`, with the columns of `our_movements` but `is_pending`. Each
 * column that a condition is put on (`id`, `provider_id`, `reference_id`, `at`) is a plain column of an index.
 */
interface OurMovements {
  kind: MovementKind;
  /** True while we do not know yet whether the provider has carried them out. */
  isPending: boolean;
  sql: string;
  /** The conditions by which the one `o` is found for a movement `m` that the provider said, and for an open difference `d`. */
  foundBy: { said: readonly string[]; open: string };
}

/** The columns of a movement of ours; a temporary table of a comparison has these. */
export const OUR_COLUMNS = `
  kind text NOT NULL,
  -- Of our row; null of a fee, which is a transfer in the ledger.
  id uuid,
  our_id text NOT NULL,
  -- The id by which the provider knows it; null where we do not know it yet.
  provider_id text,
  -- The key that the provider got from us, and the id of a row that it begins with; null where there is none.
  reference text,
  reference_id uuid,
  minor bigint NOT NULL,
  currency text NOT NULL,
  -- When we recorded it.
  at timestamptz NOT NULL,
  is_pending boolean NOT NULL`;

const BY_ID = 'o.provider_id = m.known_as';
const BY_REFERENCE = 'o.reference_id = m.reference_id AND o.reference = m.reference';
const OPEN = 'o.id = d.our_uuid';

const done = { isPending: false, foundBy: { said: [BY_ID, BY_REFERENCE], open: OPEN } };
const pending = { isPending: true, foundBy: { said: [BY_REFERENCE], open: OPEN } };
const withoutReference = { isPending: false, foundBy: { said: [BY_ID], open: OPEN } };

/** A capture that a buyer's bank took back is a movement of its own, and so is the return of that. */
const CHARGEBACK = `b.id, b.id::text AS our_id, b.provider_chargeback_id AS provider_id, NULL::text AS reference,
  NULL::uuid AS reference_id, b.amount_minor AS minor, b.currency`;

/** The columns of the key of an attempt: the id of the row `t` with the number of the attempt. */
const KEY = `t.id || ':' || t.sendings AS reference, t.id AS reference_id`;

/** A transfer to a person of the table `t`. */
const sent = (
  providerId: string,
  minor: string,
): string => `t.id, t.id::text AS our_id, ${providerId} AS provider_id,
  ${KEY}, ${minor} AS minor, t.currency`;

const transfers = (table: string, minor: string): OurMovements[] => [
  {
    ...{ kind: 'TRANSFER_OUT', ...done },
    sql: `SELECT ${sent('t.transfer_reference', minor)}, t.ended_at AS at
      FROM ${table} t WHERE t.provider = $1 AND t.status = 'COMPLETED'`,
  },
  {
    ...{ kind: 'TRANSFER_OUT', ...pending },
    sql: `SELECT ${sent('NULL::text', minor)}, t.asked_at AS at
      FROM ${table} t WHERE t.provider = $1 AND t.status = 'PROCESSING' AND t.asked_at IS NOT NULL`,
  },
];

/** Every movement of ours with providers: what else moves money there is one more member. */
export const OUR_MOVEMENTS: readonly OurMovements[] = [
  {
    ...{ kind: 'CAPTURE', ...done },
    sql: `SELECT c.id, c.id::text AS our_id, c.provider_payment_id AS provider_id, c.attempt_id::text AS reference,
        c.attempt_id AS reference_id, c.amount_minor AS minor, c.currency, c.captured_at AS at
      FROM payment_captures c WHERE c.provider = $1`,
  },
  {
    // What a person sent from our bank account was no movement with the provider.
    ...{ kind: 'REFUND', ...done },
    sql: `SELECT t.id, t.id::text AS our_id, t.provider_refund_id AS provider_id, ${KEY},
        t.amount_minor AS minor, t.currency, t.completed_at AS at
      FROM payment_refunds t JOIN payment_captures c ON c.id = t.capture_id
      WHERE c.provider = $1 AND t.status = 'COMPLETED' AND t.settlement_reference IS NULL`,
  },
  {
    ...{ kind: 'REFUND', ...pending },
    sql: `SELECT t.id, t.id::text AS our_id, NULL::text AS provider_id, ${KEY},
        t.amount_minor AS minor, t.currency, t.asked_at AS at
      FROM payment_refunds t JOIN payment_captures c ON c.id = t.capture_id
      WHERE c.provider = $1 AND t.status = 'PROCESSING' AND t.asked_at IS NOT NULL`,
  },
  {
    ...{ kind: 'CHARGEBACK', ...withoutReference },
    sql: `SELECT ${CHARGEBACK}, b.created_at AS at FROM chargebacks b WHERE b.provider = $1`,
  },
  {
    ...{ kind: 'CHARGEBACK_RETURNED', ...withoutReference },
    sql: `SELECT ${CHARGEBACK}, b.updated_at AS at FROM chargebacks b WHERE b.provider = $1 AND b.status = 'RETURNED'`,
  },
  ...transfers('investment_withdrawals', 't.net_minor'),
  ...transfers('payouts', 't.amount_minor'),
  {
    // Booked by a comparison before. Those of chargebacks are booked with these.
    ...{ kind: 'FEE', isPending: false },
    sql: `SELECT NULL::uuid AS id, ${shownReference('t', 'fee')} AS our_id, t.part AS provider_id,
        NULL::text AS reference, NULL::uuid AS reference_id, e.amount_minor AS minor, e.currency, e.created_at AS at
      FROM ledger_entries e JOIN ledger_transfers t ON t.id = e.transfer_id
      WHERE e.account ^@ 'clearing_' AND e.account = 'clearing_' || $1 AND ${isOf('t', 'fee')} AND t.subject_id = $1`,
    foundBy: {
      said: ['o.provider_id = m.provider_id'],
      open: 'o.our_id = d.our_id AND o.provider_id = d.provider_id',
    },
  },
];
