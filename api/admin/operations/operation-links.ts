import { z } from 'zod';
import type { ParkedProcessView } from '../../../db/administration/operations/parking.reads';
import { processes } from '../../../db/program/processes';
import { poolProcess } from '../../../workflows/partners/pool/pool.contract';
import type { Context } from '../../http/handler-context';

const BASE = '/api/v1';

/** The resource that a process of this type is about, in the words of `idOf`. */
const RESOURCES = new Map(processes.map(({ type, resource }) => [type, resource]));

/** The filter of a list by which administrators read a resource that has no path of its own. */
const FILTERS: Readonly<Record<string, string>> = { 'top-up': '/admin/top-ups?topUp=' };

const path = (example: string, description: string) =>
  z
    .string()
    .nullable()
    .meta({ description, example: `${BASE}${example}/0199f3a2-51b0-7e08-8c47-6f0d9b3e2a15` });

export const OperationLinks = z
  .object({
    entity: path(
      '/admin/payouts',
      'What it is about; null if that cannot be read by itself, as a pool that is not counted yet.',
    ),
    order: path('/admin/orders', 'The order that it is about; null without one.'),
    user: path('/admin/users', 'The person whose matter it is; null if it is nobody’s.'),
    temporal: z.url().nullable().meta({
      description: 'The process in the Temporal UI; null where the address of that is not configured.',
      example: 'http://localhost:8233/namespaces/default/workflows/checkout%3A0199f3a2',
    }),
  })
  .meta({ id: 'OperationLinks', description: 'Where more is to be read.' });

export type LinkTargets = Pick<Context<'admin'>, 'adminPaths' | 'temporalUi'>;

type Linked = Pick<
  ParkedProcessView,
  'workflowId' | 'runId' | 'type' | 'entityId' | 'poolRunId' | 'orderId' | 'userId'
>;

/**
 * `adminPaths`: where administrators read a resource, by its name. `temporalUi`: the address under which the Temporal UI shows the
 * processes of our namespace; null: not configured.
 */
export const linksOf = (
  { workflowId, runId, type, entityId, poolRunId, orderId, userId }: Linked,
  { adminPaths, temporalUi }: LinkTargets,
): z.output<typeof OperationLinks> => {
  const linked = (resource: string | undefined, id: string | null): string | null => {
    if (resource === undefined || id === null) return null;
    const path = adminPaths.get(resource);
    const place = path === undefined ? FILTERS[resource] : `${path}/`;
    return place === undefined ? null : `${BASE}${place}${encodeURIComponent(id)}`;
  };
  return {
    entity: linked(RESOURCES.get(type), type === poolProcess.type ? poolRunId : entityId),
    order: linked('order', orderId),
    user: linked('user', userId),
    temporal: temporalUi && [temporalUi, encodeURIComponent(workflowId), runId, 'history'].join('/'),
  };
};
