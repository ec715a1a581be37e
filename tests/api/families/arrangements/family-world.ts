import { randomUUID } from 'node:crypto';
import type { Auth } from '../../../../api/http/handler-context';
import { firstRow } from '../../../../db/sql/query';
import { eventually } from '../../../support/checks/eventually';
import { makeGoods, peopleOf, type Ground, type RoleName } from '../../../support/resources/ground';
import { startStuckWorld, type StuckWorld } from '../../admin/operations/stuck-refund';

/** The least role that an endpoint requires; null for none. */
export const roleFor = (auth: Auth): RoleName | null =>
  (({ public: null, optional: 'USER', user: 'USER', admin: 'ADMIN', 'super-admin': 'SUPER_ADMIN' }) as const)[
    auth
  ];

/** A refund that failed and that an operator abandoned. */
async function abandonedRefund({ world, stuckRefund, decide }: StuckWorld): Promise<{ id: string }> {
  const { orderId, workflowId } = await stuckRefund();
  await decide(workflowId, 'abandon');
  return eventually(async () => {
    const found = await firstRow<{ id: string }>(
      world.db,
      `SELECT id FROM payment_refunds WHERE order_id = $1 AND status = 'ABANDONED'`,
      [orderId],
    );
    return { id: found!.id };
  });
}

/** Starts the platform on which every endpoint is called. */
export async function startFamilyWorld(): Promise<Ground> {
  const stuck = await startStuckWorld();
  const { world } = stuck;
  const goods = await makeGoods(world);
  return {
    world,
    ...goods,
    ...peopleOf(world, goods),
    parked: async () => (await stuck.stuckRefund()).workflowId,
    owedRefund: () => abandonedRefund(stuck),
  };
}

/** Values for the parameters of a path; a random id where none is given. */
export const filled = (path: string, params: Readonly<Record<string, string>> = {}): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? randomUUID()));
