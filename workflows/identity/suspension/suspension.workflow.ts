import type { UpdateDefinition } from '@temporalio/common';
import { continueAsNew } from '@temporalio/workflow';
import { Entity } from '../../kit/entity';
import { durableTransactions, now, localTransactions } from '../../kit/proxies';
import * as contract from './suspension.contract';
import type { StatusChanged, StatusDecision, SuspensionActivities } from './suspension.contract';

/** One user's status, from the first decision until the user is no longer suspended. */
export async function suspension({ userId }: contract.SuspensionInput): Promise<contract.SuspensionResult> {
  const local = localTransactions<SuspensionActivities>();
  const durable = durableTransactions<SuspensionActivities>();
  const user = new Entity({
    id: userId,
    reading: 'read whether the user is suspended',
    read: () => local.readSuspension({ userId }),
    renew: () => continueAsNew<typeof suspension>({ userId }),
  });
  const decides = <Decision extends StatusDecision>(
    update: UpdateDefinition<StatusChanged, [Decision]>,
    carryOut: (decision: Decision & { userId: string; at: string }) => Promise<StatusChanged>,
    description: string,
  ): void =>
    user.decides(update, (decision) => carryOut({ ...decision, userId, at: now() }), { description });
  decides(contract.suspendUser, durable.suspendUser, 'Suspend the user.');
  decides(contract.activateUser, durable.activateUser, 'End the suspension.');
  decides(contract.banUser, durable.banUser, 'Ban the user.');
  decides(contract.unbanUser, durable.unbanUser, 'Lift the ban.');

  return user.follow<contract.SuspensionResult>({
    next({ suspended, until }) {
      if (!suspended) return { ended: 'OVER' };
      if (until === null) return { words: 'Suspended until an administrator decides.' };
      return {
        words: `Suspended until ${until}.`,
        summary: `suspended until ${until}`,
        until,
        whenDue: () => user.change('end the suspension', () => local.endSuspension({ userId, at: now() })),
      };
    },
    closing: {
      OVER: 'No longer suspended.',
      ABANDONED: 'Given up by an operator; the user stays as the database has it.',
    },
    refused: 'OVER',
    abandoned: 'ABANDONED',
  });
}
