import { setTimeout as pause } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { sendOnce } from '../requests/client';
import type { FaultContext } from '../fault';

/** The ids of the parked processes, as operators list them. */
export async function listed({ stack, people }: FaultContext): Promise<string[]> {
  const { status, body } = await sendOnce(stack.frontPort, {
    method: 'GET',
    path: '/api/v1/admin/operations?pageSize=100',
    headers: { authorization: `Bearer ${people.admin.token}` },
  });
  const operations = body.data?.['operations'];
  if (status !== 200 || !Array.isArray(operations)) throw new Error(`the operators' list answered ${status}`);
  return operations.map(({ workflowId }: { workflowId: string }) => workflowId);
}

/** Decides on a parked process as an operator does; answers the status once it is no longer listed. */
export async function decide(
  context: FaultContext,
  workflowId: string,
  decision: 'retry' | 'abandon',
): Promise<number> {
  const { stack, people } = context;
  const { status } = await sendOnce(stack.frontPort, {
    method: 'POST',
    path: `/api/v1/admin/operations/${encodeURIComponent(workflowId)}/${decision}`,
    body: {},
    headers: { authorization: `Bearer ${people.admin.token}`, 'idempotency-key': randomUUID() },
  });
  for (let tries = 0; tries < 100 && (await listed(context)).includes(workflowId); tries++) await pause(50);
  return status;
}
