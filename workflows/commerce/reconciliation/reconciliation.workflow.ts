import { continueAsNew, proxyActivities, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import { parkingFor } from '../../kit/parking';
import { renewalBy } from '../../kit/waiting/renewal';
import { statementReading, LONG_WORK, localTransactions, now } from '../../kit/proxies';
import {
  reconciliationProcess,
  type StatementActivities,
  type ComparisonActivities,
  type Reading,
  type ReconciliationActivities,
  type ReconciliationInput,
  type ReconciliationResult,
} from './reconciliation.contract';

const local = localTransactions<ReconciliationActivities>();

const comparing = proxyActivities<ComparisonActivities>({
  ...LONG_WORK,
  summary: 'Book fees and compare the day',
});

/** Readings of pages, and tries to compare, in one history; the next ones have a new history. */
const ROUNDS = 40;

/**
 * The first wait while another day of the provider is compared, which takes some seconds, and the longest, to which they double. A timer
 * occupies no place in the queue of long work.
 */
const BUSY_WAITS = { firstMs: 1_000, longestMs: 60_000 };

/** A reading that an earlier history of this process has begun. `cursor`: behind the last page that was read. */
type Begun = Reading & { cursor: string | null; isRead: boolean };

/** One day of one provider. Its truth is in the rows, so that it can be started again after any end. */
export async function reconciliation(
  input: ReconciliationInput,
  begun?: Begun,
): Promise<ReconciliationResult> {
  const { provider, day } = input;
  let held = begun;
  const renew = (): Promise<never> => continueAsNew<typeof reconciliation>(input, held);
  const renewIfLong = renewalAfter(ROUNDS, renew);
  const parking = parkingFor(reconciliationProcess.entityId(input), renewalBy(renew));
  const statement = statementReading<StatementActivities>(provider);
  const outcome = await parking.orAbandoned(async () => {
    held ??= { ...(await local.beginReading({ provider, day, at: now() })), cursor: null, isRead: false };
    const { runId, reading } = held;
    setCurrentDetails(`Reads the statement of ${provider}.`);
    while (!held.isRead) {
      const from: string | null = held.cursor;
      const { cursor }: Pick<Begun, 'cursor'> = await parking.step('read the statement of the provider', () =>
        statement.readStatement({ runId, reading, provider, day, cursor: from }),
      );
      held = { runId, reading, cursor, isRead: cursor === null };
      if (!held.isRead) await renewIfLong();
    }
    for (let waitMs = BUSY_WAITS.firstMs; ; waitMs = Math.min(2 * waitMs, BUSY_WAITS.longestMs)) {
      setCurrentDetails('Compares the day.');
      const { differences } = await parking.step('compare the day', () =>
        comparing.compareDay({ runId, reading, provider, day, at: now() }),
      );
      if (differences !== null) return { differences };
      setCurrentDetails(`Waits while another day of ${provider} is compared.`);
      await sleep(waitMs, { summary: 'compares the day then' });
      await renewIfLong();
    }
  });
  if (outcome === 'ABANDONED') return { status: 'ABANDONED', differences: 0 };
  setCurrentDetails(
    outcome.differences === 0
      ? `The statement of ${provider} agrees with ours.`
      : `**${outcome.differences} differences with ${provider} are open.** GET /admin/reconciliation/differences lists them.`,
  );
  return { status: 'DONE', differences: outcome.differences };
}

/** Counts rounds: the last of a history continues as new. */
function renewalAfter(rounds: number, renew: () => Promise<never>): () => Promise<void> {
  let done = 0;
  return async () => {
    if (++done === rounds || workflowInfo().continueAsNewSuggested) await renew();
  };
}
