import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';
import { registerSearchAttributes, SEARCH_ATTRIBUTES } from '../../db/program/temporal/search-attributes';

const ALREADY_EXISTS = 6;

const hasCode = (error: unknown, code: number) =>
  error instanceof Error && 'code' in error && error.code === code;

/**
 * Makes the namespace with its search attributes unless they are there. Rejects while the server doesn't serve, and
 * until the attributes can be searched by, which is a moment after they were added.
 */
export async function ensureNamespace(address: string, namespace: string): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout: 2_000 });
  const { workflowService } = connection;
  try {
    await workflowService
      .registerNamespace({ namespace, workflowExecutionRetentionPeriod: msToTs('30 days') })
      .catch((error: unknown) => {
        if (!hasCode(error, ALREADY_EXISTS)) throw error;
      });
    await registerSearchAttributes(connection, namespace);
    const query = Object.keys(SEARCH_ATTRIBUTES)
      .map((name) => `${name} IS NULL`)
      .join(' AND ');
    await workflowService.countWorkflowExecutions({ namespace, query });
  } finally {
    await connection.close();
  }
}
