import { v7 } from 'uuid';
import { clearingAccount } from '../../../../db/ledger/ledger.accounts';
import { postTransfer } from '../../../../db/ledger/ledger.transitions';
import { execute } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import type { MovementKind } from '../../../../workflows/commerce/reconciliation/reconciliation.rules';
import { insert } from '../../../support/builders/make/insert';
import type { TestDatabase } from '../../../support/servers/database';

type Own = Pick<TestDatabase, 'db' | 'owner'>;

/** A movement of ours that is recorded and booked. */
export interface OurMovement {
  kind: Exclude<MovementKind, 'FEE'>;
  providerId: string;
  amountMinor: number;
  currency?: string;
  at: Date;
}

/** The key that the provider got with it, and the id of our row. */
export interface Recorded {
  ourId: string;
  reference: string | null;
}

/** Long before every day that is compared. */
const BEFORE = new Date('2020-01-01T00:00:00Z');

const CLEARS = { CAPTURE: -1, REFUND: 1, CHARGEBACK: 1, CHARGEBACK_RETURNED: -1, TRANSFER_OUT: 1 } as const;

/** Inserts rows of which only the columns matter that a comparison reads: what else they belong to is not there. */
export const insertUnlinked = (
  { owner }: Own,
  rows: readonly (readonly [string, Record<string, unknown>])[],
): Promise<void> =>
  inTransaction(owner, async (tx) => {
    await execute(tx, 'SET LOCAL session_replication_role = replica');
    for (const [table, row] of rows) await insert(tx, table, row);
  });

/** Records and statements a movement as our processes do. */
export async function recorded(own: Own, provider: string, movement: OurMovement): Promise<Recorded> {
  const made = rowsOf(provider, movement);
  await insertUnlinked(own, made.rows);
  await clear(own, provider, movement.kind, movement);
  return { ourId: made.ourId, reference: made.reference };
}

/** Books an amount on the clearing account of a provider. */
export const clear = (
  { db }: Own,
  provider: string,
  kind: OurMovement['kind'],
  { amountMinor, currency = 'USD', at }: Omit<OurMovement, 'kind' | 'providerId'>,
): Promise<unknown> =>
  inTransaction(db, (tx) => {
    const cleared = CLEARS[kind] * amountMinor;
    const entries = [
      { account: clearingAccount(provider), amountMinor: cleared, currency },
      { account: 'payments' as const, amountMinor: -cleared, currency },
    ];
    return postTransfer(tx, { reference: { kind: 'seed-wallet', subjectId: v7() }, entries, at });
  });

type Rows = [string, Record<string, unknown>][];

function rowsOf(
  provider: string,
  { kind, providerId, amountMinor, currency = 'USD', at }: OurMovement,
): { ourId: string; reference: string | null; rows: Rows } {
  const [ourId, captureId, attemptId] = [v7(), v7(), v7()];
  const money = { participation_id: v7(), amount_minor: amountMinor, currency };
  const capture = (id: string, providerPaymentId: string, capturedAt: Date) => ({
    ...{ id, attempt_id: attemptId, provider, provider_payment_id: providerPaymentId, applied: false },
    ...{ ...money, captured_at: capturedAt },
  });
  const earlier: Rows[number] = ['payment_captures', capture(captureId, `of ${providerId}`, BEFORE)];
  const chargeback = {
    ...{ id: ourId, capture_id: captureId, provider, provider_chargeback_id: providerId, ...money },
  };
  switch (kind) {
    case 'CAPTURE':
      return { ourId, reference: attemptId, rows: [['payment_captures', capture(ourId, providerId, at)]] };
    case 'REFUND': {
      const refund = {
        ...{ id: ourId, capture_id: captureId, reason: 'CANCELLATION', status: 'COMPLETED', ...money },
        ...{ provider_refund_id: providerId, created_at: at, completed_at: at, asked_at: at },
      };
      return { ourId, reference: `${ourId}:1`, rows: [earlier, ['payment_refunds', refund]] };
    }
    case 'CHARGEBACK': {
      const row = { ...chargeback, status: 'TAKEN', created_at: at, updated_at: at };
      return { ourId, reference: null, rows: [earlier, ['chargebacks', row]] };
    }
    case 'CHARGEBACK_RETURNED': {
      const row = { ...chargeback, status: 'RETURNED', created_at: BEFORE, updated_at: at };
      return { ourId, reference: null, rows: [earlier, ['chargebacks', row]] };
    }
    case 'TRANSFER_OUT':
      return {
        ...{ ourId, reference: `${ourId}:1` },
        rows: [
          [
            'investment_withdrawals',
            withdrawalRow(ourId, provider, { providerId, amountMinor, currency, at }),
          ],
        ],
      };
  }
}

/** A withdrawal that arrived by a transfer of the provider. */
export const withdrawalRow = (
  id: string,
  provider: string,
  {
    providerId,
    amountMinor,
    currency,
    at,
  }: { providerId: string; amountMinor: number; currency: string; at: Date },
) => ({
  ...{
    id,
    participation_id: v7(),
    user_id: v7(),
    method: 'BANK_CARD',
    status: 'COMPLETED',
    provider,
    asked_provider: provider,
    currency,
  },
  ...{ principal_minor: amountMinor, returns_minor: 0, penalty_minor: 0, net_minor: amountMinor },
  ...{ transfer_reference: providerId, sendings: 1, asked_at: at, ended_at: at, created_at: at },
  estimated_on: at.toISOString().slice(0, 10),
});
