import type { Connection } from '@temporalio/client';
import { searchAttributes } from '../workflows/kit/search-attributes';

/** `temporal.api.enums.v1.IndexedValueType`, as far as we use it. */
const INDEXED_VALUE_TYPE = { KEYWORD: 2, BOOL: 5 } as const;

/** Makes every attribute known to the server before anything is started with it. Known already: nothing happens. */
export async function registerSearchAttributes(connection: Connection, namespace: string): Promise<void> {
  await connection.operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(
      Object.values(searchAttributes).map(({ name, type }) => [name, INDEXED_VALUE_TYPE[type]]),
    ),
  });
}
