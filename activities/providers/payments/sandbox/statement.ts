import {
  sandboxStatementOf,
  type SandboxStatementEntry,
} from '../../../../db/commerce/sandbox/sandbox-statement.reads';
import type { Db } from '../../../../db/sql/query';
import type { ProviderStatement, StatementMovement } from '../../statements/port';
import { readMessage } from '../read-message';

const PAGE = 200;

/**
 * The sandbox's statement: its own rows of payments, refunds, transfers and fees, and the chargebacks that it has reported. The
 * fees of these come with the reports alone.
 */
export const sandboxStatement = (db: Db, page = PAGE): ProviderStatement => ({
  code: 'sandbox',

  async listMovements({ from, to, cursor }) {
    const found = await sandboxStatementOf(db, { from, to, after: cursor, limit: page });
    return {
      movements: found.flatMap(movementsOf),
      cursor: found.length < page ? null : (found.at(-1)?.place ?? null),
    };
  },
});

function movementsOf(entry: SandboxStatementEntry): StatementMovement[] {
  const at = entry.occurredAt;
  if (entry.kind === 'REPORT') return chargebackOf(entry.body, at);
  const { kind, providerId, reference, amountMinor, currency } = entry;
  return [{ kind, providerId, reference, amountMinor, currency, at }];
}

/** The movement that a report of a chargeback stands for; none if it cannot be read. */
function chargebackOf(body: string, at: Date): StatementMovement[] {
  const message = readMessage('sandbox', body);
  if (message?.about !== 'chargeback') return [];
  const { chargebackId: providerId, status, amountMinor, currency } = message.chargeback;
  const kind = status === 'RETURNED' ? 'CHARGEBACK_RETURNED' : 'CHARGEBACK';
  return [{ kind, providerId, reference: null, amountMinor, currency, at }];
}
