import { setTimeout as pause } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { askOnce } from '../asking/client';
import type { Occasion } from '../fault';

/** What an operator sees of the processes that wait for a person: their ids. */
export async function listed({ stack, people }: Occasion): Promise<string[]> {
  const { status, body } = await askOnce(stack.frontPort, {
    method: 'GET',
    path: '/api/v1/admin/operations?pageSize=100',
    headers: { authorization: `Bearer ${people.admin.token}` },
  });
  const operations = body.data?.['operations'];
  if (status !== 200 || !Array.isArray(operations)) throw new Error(`the operators' list answered ${status}`);
  return operations.map(({ workflowId }: { workflowId: string }) => workflowId);
}

/** Decides on a parked process as an operator does; answers the status, once it is on no list any more. */
export async function decide(
  occasion: Occasion,
  workflowId: string,
  decision: 'retry' | 'abandon',
): Promise<number> {
  const { stack, people } = occasion;
  const { status } = await askOnce(stack.frontPort, {
    method: 'POST',
    path: `/api/v1/admin/operations/${encodeURIComponent(workflowId)}/${decision}`,
    body: {},
    headers: { authorization: `Bearer ${people.admin.token}`, 'idempotency-key': randomUUID() },
  });
  for (let tries = 0; tries < 100 && (await listed(occasion)).includes(workflowId); tries++) await pause(50);
  return status;
}
