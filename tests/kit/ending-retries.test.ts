import { Connection } from '@temporalio/client';
import { once } from 'node:events';
import { createServer, type Http2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { endingRetries, endRetriesAtClose } from '../../api/http/temporal/ending-retries';

/** A server that is never able to answer, but for what the SDK asks when it connects. */
let server: Http2Server;
let calls = 0;
beforeAll(async () => {
  server = createServer();
  server.on('stream', (stream, { ':path': path }) => {
    const connects = path!.endsWith('/GetSystemInfo');
    if (!connects) calls++;
    const [unimplemented, unavailable] = ['12', '14'];
    stream.respond(
      {
        ...{ ':status': 200, 'content-type': 'application/grpc' },
        'grpc-status': connects ? unimplemented : unavailable,
      },
      { endStream: true },
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => server.close());

test('a call that is repeated while its connection is closed fails, and nothing else', async () => {
  const retries = endingRetries();
  const { interceptors } = retries;
  const { port } = server.address() as AddressInfo;
  const address = `127.0.0.1:${port}`;
  const connection = endRetriesAtClose(await Connection.connect({ address, interceptors }), retries);
  const failed = expect(connection.workflowService.listNamespaces({})).rejects.toThrow('UNAVAILABLE');
  while (calls < 2) await new Promise(setImmediate);
  await connection.close();
  await failed;
});
