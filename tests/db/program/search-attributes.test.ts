import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';
import { randomUUID } from 'node:crypto';
import { StartRefused } from '../../../db/program/start-guard';
import { registerSearchAttributes, SEARCH_ATTRIBUTES } from '../../../db/program/temporal/search-attributes';
import { GrpcStatus } from '../../../workflows/grpc-status';
import { eventually } from '../../support/checks/eventually';
import { TemporalProxy } from '../../support/fakes/temporal-proxy';
import { connectTemporal, type TestTemporal } from '../../support/servers/temporal';

const [TEXT, KEYWORD, BOOL] = [1, 2, 5] as const;

let temporal: TestTemporal;
let own: Connection;
let proxy: TemporalProxy;
let refused: number;
let connection: Connection;
beforeAll(async () => {
  temporal = await connectTemporal();
  own = await Connection.connect({ address: temporal.address });
  proxy = await TemporalProxy.open(temporal.address, (method) =>
    method === 'AddSearchAttributes' ? refused : undefined,
  );
  connection = await Connection.connect({ address: proxy.address });
});
afterAll(async () => {
  await connection.close();
  await proxy.close();
  await own.close();
  await temporal.close();
});

/** A namespace with these attributes only, by which the server can search already. */
async function namespaceWith(searchAttributes: Record<string, number>): Promise<string> {
  const namespace = `test-${randomUUID()}`;
  const { workflowService, operatorService } = own;
  const workflowExecutionRetentionPeriod = msToTs('1 day');
  await workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod });
  if (Object.keys(searchAttributes).length === 0) return namespace;
  await operatorService.addSearchAttributes({ namespace, searchAttributes });
  const query = Object.keys(searchAttributes)
    .map((name) => `${name} IS NULL`)
    .join(' AND ');
  await eventually(() => workflowService.countWorkflowExecutions({ namespace, query }));
  return namespace;
}

const all: Record<string, number> = Object.fromEntries(
  Object.entries(SEARCH_ATTRIBUTES).map(([name, type]) => [name, type === 'Bool' ? BOOL : KEYWORD]),
);

/** The refusal of a start in the namespace. */
async function refusalIn(namespace: string): Promise<Error> {
  const error: unknown = await registerSearchAttributes(connection, namespace).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(StartRefused);
  return error as Error;
}

describe.each(['PERMISSION_DENIED', 'UNIMPLEMENTED'] as const)(
  'a server that answers the registration with %s',
  (name) => {
    beforeEach(() => {
      refused = GrpcStatus[name];
    });

    test('is right when it has all search attributes', async () => {
      await expect(registerSearchAttributes(connection, await namespaceWith(all))).resolves.toBeUndefined();
    });

    test('is refused when it lacks some: they are named, with the commands that create them', async () => {
      const { EntityId: _id, NeedsAttention: _bool, ...rest } = all;
      const namespace = await namespaceWith(rest);
      const { message } = await refusalIn(namespace);
      expect(message).toContain('EntityId (Keyword), NeedsAttention (Bool)\n');
      expect(message).toContain(
        `temporal operator search-attribute create --namespace ${namespace} ` +
          '--name EntityId --type Keyword --name NeedsAttention --type Bool\n',
      );
      expect(message).toContain(
        `tcld namespace search-attributes add --namespace ${namespace} ` +
          '--search-attribute EntityId=Keyword --search-attribute NeedsAttention=Bool',
      );
    });
  },
);

test('a text in place of a keyword is a missing one', async () => {
  refused = GrpcStatus.PERMISSION_DENIED;
  const namespace = await namespaceWith({ ...all, Stage: TEXT });
  expect((await refusalIn(namespace)).message).toContain('  Stage (Keyword)\n');
});

test('another refusal is passed on, and nothing else is asked', async () => {
  refused = GrpcStatus.FAILED_PRECONDITION;
  await expect(registerSearchAttributes(connection, temporal.namespace)).rejects.toThrow(
    'FAILED_PRECONDITION',
  );
});

test('where the check is not permitted either, that is the error', async () => {
  const strict = await TemporalProxy.open(temporal.address, (method) =>
    method === 'GetSystemInfo' ? undefined : GrpcStatus.PERMISSION_DENIED,
  );
  const denied = await Connection.connect({ address: strict.address });
  await expect(registerSearchAttributes(denied, temporal.namespace)).rejects.toThrow('PERMISSION_DENIED');
  expect(strict.calls).toEqual(['GetSystemInfo', 'AddSearchAttributes', 'CountWorkflowExecutions']);
  await denied.close();
  await strict.close();
});
