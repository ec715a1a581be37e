import type { Connection } from '@temporalio/client';
import { searchAttributes } from '../workflows/kit/search-attributes';

/** The values of `temporal.api.enums.v1.IndexedValueType` that we use. */
const INDEXED_VALUE_TYPE = { KEYWORD: 2, BOOL: 5 } as const;

/** Registers every search attribute with the server, which must happen before a process starts. Safe to repeat. */
export async function registerSearchAttributes(connection: Connection, namespace: string): Promise<void> {
  await connection.operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(
      Object.values(searchAttributes).map(({ name, type }) => [name, INDEXED_VALUE_TYPE[type]]),
    ),
  });
}
