import { proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import { LONG_WORK } from '../../kit/proxies';
import type {
  InvestmentFindings,
  InvestmentReconciliationActivities,
} from './investment-reconciliation.contract';

const { reconcileInvestments } = proxyActivities<InvestmentReconciliationActivities>({
  ...LONG_WORK,
  summary: 'Compare participations with reports',
});
const { refreshStrategyReturns } = proxyActivities<InvestmentReconciliationActivities>({
  ...LONG_WORK,
  summary: 'Returns of strategies by month',
});

/** Runs daily. It corrects nothing: a difference has a cause, and a person has to find it. */
export async function investmentReconciliation(): Promise<InvestmentFindings> {
  const at = workflowInfo().startTime.toISOString();
  const found = await reconcileInvestments({ at });
  await refreshStrategyReturns({ at });
  setCurrentDetails(
    found.differences === 0
      ? 'What providers reported is what is held.'
      : `**${found.differences} differences.** GET /admin/investment/differences lists them.`,
  );
  return found;
}
