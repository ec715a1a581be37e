import { v7 } from 'uuid';
import { park } from '../../../db/administration/operations/parking.writes';
import type { Db } from '../../../db/sql/query';
import { checkoutProcess } from '../../../workflows/commerce/order/checkout.contract';
import { withdrawalProcess } from '../../../workflows/investment/withdrawal/withdrawal.contract';
import { withdrawnByHand } from '../../support/builders/investing/withdrawing';
import { deadMessages } from '../../support/builders/make/messages';
import type { Dictionaries } from './fuzz-world';

/** Processes on the operators' list, those of money that a person sends, and messages that were given up. */
export const operationsIn = async (db: Db, count: number): Promise<Dictionaries> => ({
  operations: [
    ...(await parkedIn(db, count)),
    withdrawalProcess.id({ withdrawalId: await withdrawnByHand(db) }),
  ],
  deadMessages: await deadMessages(db, count),
});

async function parkedIn(db: Db, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const orderId = v7();
    const workflowId = checkoutProcess.id({ orderId });
    await park(db, {
      ...{ workflowId, type: checkoutProcess.type, entityId: orderId, runId: v7() },
      ...{
        reason: 'Could not read the state of the order.',
        lastError: 'x',
        since: new Date().toISOString(),
      },
    });
    ids.push(workflowId);
  }
  return ids;
}
