import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';
import { searchAttributes } from '../servers/temporal';

/** `temporal.api.enums.v1.IndexedValueType`, as far as we use it. */
const indexedValueType = { Keyword: 2, Bool: 5 } as const;
const alreadyExists = 6;

const hasCode = (error: unknown, code: number) =>
  error instanceof Error && 'code' in error && error.code === code;

/**
 * Sees to it that the namespace is there with its search attributes, and that they can be searched by: the server
 * learns of them a moment after it was told. Rejects while the server doesn't serve or doesn't know them yet.
 */
export const ensureNamespace = async (address: string, namespace: string): Promise<void> => {
  const connection = await Connection.connect({ address, connectTimeout: 2_000 });
  const { workflowService, operatorService } = connection;
  try {
    await workflowService
      .registerNamespace({ namespace, workflowExecutionRetentionPeriod: msToTs('30 days') })
      .catch((error: unknown) => {
        if (!hasCode(error, alreadyExists)) throw error;
      });
    await operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(
        Object.entries(searchAttributes).map(([name, type]) => [name, indexedValueType[type]]),
      ),
    });
    const query = Object.keys(searchAttributes)
      .map((name) => `${name} IS NULL`)
      .join(' AND ');
    await workflowService.countWorkflowExecutions({ namespace, query });
  } finally {
    await connection.close();
  }
};
