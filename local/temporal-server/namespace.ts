import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';
import { SEARCH_ATTRIBUTES } from './temporal';

/** `temporal.api.enums.v1.IndexedValueType`, as far as we use it. */
const INDEXED_VALUE_TYPE = { Keyword: 2, Bool: 5 } as const;
const ALREADY_EXISTS = 6;

const hasCode = (error: unknown, code: number) =>
  error instanceof Error && 'code' in error && error.code === code;

/**
 * Makes the namespace with its search attributes unless they are there. Rejects while the server doesn't serve, and
 * until the attributes can be searched by, which is a moment after they were added.
 */
export async function ensureNamespace(address: string, namespace: string): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout: 2_000 });
  const { workflowService, operatorService } = connection;
  try {
    await workflowService
      .registerNamespace({ namespace, workflowExecutionRetentionPeriod: msToTs('30 days') })
      .catch((error: unknown) => {
        if (!hasCode(error, ALREADY_EXISTS)) throw error;
      });
    await operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(
        Object.entries(SEARCH_ATTRIBUTES).map(([name, type]) => [name, INDEXED_VALUE_TYPE[type]]),
      ),
    });
    const query = Object.keys(SEARCH_ATTRIBUTES)
      .map((name) => `${name} IS NULL`)
      .join(' AND ');
    await workflowService.countWorkflowExecutions({ namespace, query });
  } finally {
    await connection.close();
  }
}
