import { randomUUID } from 'node:crypto';
import { withdrawalProcess } from '../../../../../workflows/investment/withdrawal/withdrawal.contract';
import { withdrawnByHand } from '../../../../support/builders/investing/withdrawing';
import { deadMessages } from '../../../../support/builders/make/messages';
import { soldEvent } from '../../../../support/builders/make/partners/partner-sales';
import { execute } from '../../../../../db/sql/query';
import type { Arrange } from '../arranged';

const parked: Arrange = async ({ stuck }) => ({
  params: { workflowId: (await stuck.stuckRefund()).workflowId },
});

/** Money that a person has to send. */
const toSend: Arrange = async ({ world }) => {
  const withdrawalId = await withdrawnByHand(world.db);
  return {
    params: { workflowId: withdrawalProcess.id({ withdrawalId }) },
    body: { outcome: 'DONE', reference: randomUUID(), amount: undefined },
  };
};

/** A mail that was given up. */
const dead: Arrange = async ({ world }) => {
  const [id = ''] = await deadMessages(world.db, 1);
  return { params: { id } };
};

/** An event that was given up. */
const givenUp: Arrange = async ({ world }) => {
  const id = await soldEvent(world.db, { at: new Date() });
  await execute(
    world.db,
    `UPDATE event_deliveries SET state = 'DEAD' WHERE position = (SELECT position FROM domain_events WHERE id = $1)`,
    [id],
  );
  return { params: { id }, body: { consumer: 'commissions' } };
};

/** Endpoints about what waits for an operator. */
export const operationArrangements: Readonly<Record<string, Arrange>> = {
  'POST /admin/operations/:workflowId/retry': parked,
  'POST /admin/operations/:workflowId/abandon': parked,
  'POST /admin/operations/:workflowId/settle': toSend,
  'POST /admin/operations/retry': async ({ stuck }) => ({
    body: { ids: [(await stuck.stuckRefund()).workflowId] },
  }),
  'POST /admin/messages/:id/resend': dead,
  'POST /admin/domain-events/:id/retry': givenUp,
};
