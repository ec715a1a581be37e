import { log } from '@temporalio/activity';
import {
  keepReports,
  unreadReports,
  type ReportedMovement,
  type ReportPlace,
  type UnreadReport,
} from '../../../db/investment/reconciliation/investment-report.transitions';
import { isContention, isDatabaseAway, sqlStateOf } from '../../../db/sql/errors';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { isKnownEvent } from '../../../workflows/investment/provider-event/provider-event.rules';
import { readEvent, type ProviderEvent } from '../provider-event/event-forms';
import { Inapplicable } from '../report/inapplicable';

/** Reports of one transaction. */
const BATCH = 500;

/** Reads what providers have reported since the last time, whether or not it was applied. */
export async function readReports(db: Db, at: Date, signal: AbortSignal): Promise<void> {
  let after: ReportPlace | null = null;
  for (;;) {
    signal.throwIfAborted();
    const reports: UnreadReport[] = await unreadReports(db, after, BATCH);
    if (reports.length === 0) return;
    await keep(db, at, signal, reports);
    const last = reports.at(-1);
    after = last ? { receivedAt: last.receivedAt.toISOString(), id: last.id } : null;
  }
}

/**
 * Stores a batch in one transaction. Where the database refuses it, its reports are stored one by one, and those that are
 * refused are set aside: marked as read without a movement, and logged. One bad report stops no other.
 */
async function keep(db: Db, at: Date, signal: AbortSignal, reports: readonly UnreadReport[]): Promise<void> {
  signal.throwIfAborted();
  const movements = reports.flatMap((report) => movementIn(report) ?? []);
  const ids = reports.map(({ id }) => id);
  try {
    await inTransaction(db, (tx) => keepReports(tx, movements, ids, at));
  } catch (error) {
    if (isDatabaseAway(error) || isContention(error) || movements.length === 0) throw error;
    if (reports.length > 1) {
      for (const report of reports) await keep(db, at, signal, [report]);
      return;
    }
    log.error('a report of a provider could not be read, and is set aside', {
      webhookEventIds: ids,
      sqlState: sqlStateOf(error),
    });
    await inTransaction(db, (tx) => keepReports(tx, [], ids, at));
  }
}

/** The movement of money that a report is about; null for one about something else, and one that is malformed. */
function movementIn(report: UnreadReport): ReportedMovement | null {
  const event = eventIn(report);
  if (!event) return null;
  const { id: webhookEventId, provider: providerCode, receivedAt: reportedAt } = report;
  const { occurredAt } = event;
  const of = { webhookEventId, providerCode, reportedAt, occurredAt, currency: null, penalty: 0 };
  if (isOf(event, 'investment.created')) {
    const { externalId, amount, currency } = event.data;
    return { ...of, type: 'DEPOSIT', externalId, investmentExternalId: externalId, amount, currency };
  }
  if (isOf(event, 'profit.distributed')) {
    const { externalId, investmentExternalId, amount } = event.data;
    return { ...of, type: 'PROFIT', externalId, investmentExternalId, amount };
  }
  if (!isOf(event, 'investment.withdrawn')) return null;
  const { externalId, investmentExternalId, amount, penalty = 0 } = event.data;
  return { ...of, type: 'WITHDRAWAL', externalId, investmentExternalId, amount, penalty };
}

function eventIn({ id, provider, type, body, receivedAt }: UnreadReport): ProviderEvent | null {
  if (!isKnownEvent(type)) return null;
  try {
    return readEvent({ id, provider, type }, body, receivedAt);
  } catch (error) {
    if (error instanceof Inapplicable) return null;
    throw error;
  }
}

const isOf = <Type extends ProviderEvent['type']>(
  event: ProviderEvent,
  type: Type,
): event is ProviderEvent<Type> => event.type === type;
