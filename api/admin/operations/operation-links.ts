import { z } from 'zod';
import type { ParkedProcessView } from '../../../db/administration/operations/parking.reads';
import { processes } from '../../../workflows/processes';
import type { Context } from '../../http/handler-context';

const BASE = '/api/v1';

/** The resource that a process of this type is about, in the words of `idOf`. */
const RESOURCES = new Map(processes.map(({ type, resource }) => [type, resource]));

const path = (example: string, description: string) =>
  z
    .string()
    .nullable()
    .meta({ description, example: `${BASE}${example}/0199f3a2-51b0-7e08-8c47-6f0d9b3e2a15` });

export const OperationLinks = z
  .object({
    entity: path('/admin/payouts', 'What it is about; null if that has no path of its own.'),
    order: path('/admin/orders', 'The order that it is about; null without one.'),
    user: path('/admin/users', 'The person whose matter it is; null if it is nobody’s.'),
    temporal: z.url().nullable().meta({
      description: 'The process in the Temporal UI; null where the address of that is not configured.',
      example: 'http://localhost:8233/namespaces/default/workflows/checkout%3A0199f3a2',
    }),
  })
  .meta({ id: 'OperationLinks', description: 'Where more is to be read.' });

export type LinkTargets = Pick<Context<'admin'>, 'adminPaths' | 'temporalUi'>;

type Linked = Pick<ParkedProcessView, 'workflowId' | 'runId' | 'type' | 'entityId' | 'orderId' | 'userId'>;

/**
 * `adminPaths`: where administrators read a resource, by its name. `temporalUi`: the address under which the Temporal UI shows the
 * processes of our namespace; null: not configured.
 */
export const linksOf = (
  { workflowId, runId, type, entityId, orderId, userId }: Linked,
  { adminPaths, temporalUi }: LinkTargets,
): z.output<typeof OperationLinks> => {
  const linked = (resource: string | undefined, id: string | null): string | null => {
    const path = resource === undefined ? undefined : adminPaths.get(resource);
    return path === undefined || id === null ? null : `${BASE}${path}/${encodeURIComponent(id)}`;
  };
  return {
    entity: linked(RESOURCES.get(type), entityId),
    order: linked('order', orderId),
    user: linked('user', userId),
    temporal: temporalUi && [temporalUi, encodeURIComponent(workflowId), runId, 'history'].join('/'),
  };
};
