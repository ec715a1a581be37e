import { Client, Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';
import { NativeConnection } from '@temporalio/worker';
import { randomUUID } from 'node:crypto';
import { registerSearchAttributes } from '../../../db/program/temporal/search-attributes';
import { provided } from '../run/provided';
import { quietRuntime } from './quiet-runtime';
import { endingRetries } from '../../../db/program/temporal/ending-retries';

/** The run's real server, in a namespace that no other test file sees. */
export interface TestTemporal {
  readonly address: string;
  readonly namespace: string;
  readonly client: Client;
  /** For workers. */
  readonly nativeConnection: NativeConnection;
  /** Close workers first. */
  close: () => Promise<void>;
}

/**
 * Connects, with a new namespace: workflow ids such as `webhook-sweep` and schedules are unique within one, so files
 * that run at the same time would collide. On the development server it takes some tens of milliseconds.
 */
export async function connectTemporal(address = provided('TEST_TEMPORAL_ADDRESS')): Promise<TestTemporal> {
  quietRuntime();
  const namespace = `test-${randomUUID()}`;
  const retries = endingRetries();
  const connection = await Connection.connect({ address, interceptors: retries.interceptors });
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: msToTs('1 day'),
  });
  await registerSearchAttributes(connection, namespace);
  const nativeConnection = await NativeConnection.connect({ address });
  const client = new Client({ connection, namespace, identity: 'test-client' });
  return {
    address,
    namespace,
    client,
    nativeConnection,
    async close() {
      await nativeConnection.close();
      await retries.end();
      await connection.close();
    },
  };
}
