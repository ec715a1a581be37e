import { continueAsNew, proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
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

/** Readings of pages in one history; the next ones have a new history. */
const READINGS = 40;

/** A reading that an earlier history of this process has begun. */
type Begun = Reading & { cursor: string | null };

/** One day of one provider. Its truth is in the rows, so that it can be started again after any end. */
export async function reconciliation(
  input: ReconciliationInput,
  begun?: Begun,
): Promise<ReconciliationResult> {
  const { provider, day } = input;
  let held = begun;
  const renew = (): Promise<never> => continueAsNew<typeof reconciliation>(input, held);
  const parking = parkingFor(reconciliationProcess.entityId(input), renewalBy(renew));
  const statement = statementReading<StatementActivities>(provider);
  const outcome = await parking.orAbandoned(async () => {
    held ??= { ...(await local.beginReading({ provider, day, at: now() })), cursor: null };
    const { runId, reading } = held;
    setCurrentDetails(`Reads the statement of ${provider}.`);
    let { cursor } = held;
    let readings = 0;
    do {
      const from: string | null = cursor;
      ({ cursor } = await parking.step('read the statement of the provider', () =>
        statement.readStatement({ runId, reading, provider, day, cursor: from }),
      ));
      held = { runId, reading, cursor };
      if (cursor !== null && (++readings === READINGS || workflowInfo().continueAsNewSuggested))
        return renew();
    } while (cursor !== null);
    setCurrentDetails('Compares the day.');
    return parking.step('compare the day', () =>
      comparing.compareDay({ runId, reading, provider, day, at: now() }),
    );
  });
  if (outcome === 'ABANDONED') return { status: 'ABANDONED', differences: 0 };
  setCurrentDetails(
    outcome.differences === 0
      ? `The statement of ${provider} agrees with ours.`
      : `**${outcome.differences} differences with ${provider} are open.** GET /admin/reconciliation/differences lists them.`,
  );
  return { status: 'DONE', differences: outcome.differences };
}
