import { ApplicationFailure } from '@temporalio/common';
import type { Response } from 'supertest';
import { firstRow } from '../../../../db/sql/query';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import { given } from '../../../support/builders/given';
import { eventually } from '../../../support/checks/eventually';
import { make } from '../../../support/builders/make';
import { signIn } from '../../../support/builders/sign-in';
import type { Variables } from '../../../support/worlds/variables';
import { startWorld, type World } from '../../../support/worlds/world';

/** A world with an operator and a bank that can be made to refuse. */
export interface StuckWorld {
  world: World;
  token: string;
  bank: { refuses: boolean; held?: Promise<void> | undefined };
  list: (token?: string, query?: string) => Promise<Response>;
  decide: (workflowId: string, verb: 'retry' | 'abandon', token?: string, body?: object) => Promise<Response>;
  /** A paid and cancelled order whose refund the bank refuses. */
  stuckRefund: () => Promise<{ orderId: string; workflowId: string }>;
}

export async function startStuckWorld(variables: Variables = {}): Promise<StuckWorld> {
  const bank: StuckWorld['bank'] = { refuses: true };
  const world = await startWorld({
    variables,
    queues: ['interactive', 'ingest', ...PROVIDER_QUEUES],
    fakes: (real) => ({
      sendRefund: async (refund) => {
        await bank.held;
        if (bank.refuses) throw ApplicationFailure.nonRetryable('the bank refuses', 'RefundRefused');
        return real.sendRefund(refund);
      },
    }),
  });
  const token = await signIn(world, await make.admin(world.db));
  return {
    world,
    token,
    bank,
    list: async (as = token, query = '') =>
      world.http.get(`/api/v1/admin/operations?${query}`).auth(as, { type: 'bearer' }),
    decide: async (workflowId, verb, as = token, body = {}) =>
      world.http
        .post(`/api/v1/admin/operations/${encodeURIComponent(workflowId)}/${verb}`)
        .auth(as, { type: 'bearer' })
        .send(body),
    async stuckRefund() {
      bank.refuses = true;
      const { orderId } = await given(world).order().paid().cancelled();
      return eventually(async () => {
        const found = await firstRow<{ workflowId: string }>(
          world.db,
          `SELECT p.workflow_id FROM parked_processes p
           JOIN payment_refunds r ON r.id::text = p.entity_id WHERE r.order_id = $1`,
          [orderId],
        );
        if (!found) throw new Error('It is not parked yet.');
        return { orderId, workflowId: found.workflowId };
      });
    },
  };
}
