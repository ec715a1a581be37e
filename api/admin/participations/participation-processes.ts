import {
  participationProcessKeys,
  reportsOn,
} from '../../../db/investment/participation-administration/participation-processes.reads';
import type { Db } from '../../../db/sql/query';
import { paymentRefundProcess } from '../../../workflows/commerce/refund/payment-refund.contract';
import { participationProcess } from '../../../workflows/investment/participation/participation.contract';
import { providerEventProcess } from '../../../workflows/investment/provider-event/provider-event.contract';
import { withdrawalProcess } from '../../../workflows/investment/withdrawal/withdrawal.contract';
import type { Processes } from '../../http/temporal/temporal';
import { describedAmong, standingOf, type ProcessStanding } from '../process-standing';

/** The newest of each kind that are shown; a participation has one process and one withdrawal. */
const MOST_OF_A_KIND = 10;

/**
 * The processes of a participation that Temporal still knows: its own, its withdrawal, returns of its payments, and the
 * newest reports of its provider. Null if Temporal does not answer in time, for the participation must be seen in any case.
 */
export async function participationProcesses(
  db: Db,
  processes: Processes,
  participationId: string,
): Promise<ProcessStanding[] | null> {
  const [{ withdrawalIds, refundIds }, reports] = await Promise.all([
    participationProcessKeys(db, participationId, MOST_OF_A_KIND),
    reportsOn(db, participationId, MOST_OF_A_KIND),
  ]);
  const known = await describedAmong(processes, [
    participationProcess.id({ participationId }),
    ...withdrawalIds.map((withdrawalId) => withdrawalProcess.id({ withdrawalId })),
    ...refundIds.map((refundId) => paymentRefundProcess.id({ refundId })),
    ...reports.map((report) => providerEventProcess.id(report)),
  ]);
  return known && standingOf(db, processes, known);
}
