import { once } from 'node:events';
import { createServer, type Http2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { reopeningConnection } from '../../../db/program/temporal/connection';

/** A server that is never able to answer. */
let server: Http2Server;
let calls = 0;
beforeAll(async () => {
  server = createServer();
  server.on('stream', (stream) => {
    calls++;
    const unavailable = '14';
    stream.respond(
      { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': unavailable },
      { endStream: true },
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => server.close());

test('a call that is repeated while its connection is closed fails, and nothing else', async () => {
  const { port } = server.address() as AddressInfo;
  const connection = reopeningConnection({ address: `127.0.0.1:${port}` });
  const failed = expect(connection.workflowService.listNamespaces({})).rejects.toThrow('UNAVAILABLE');
  while (calls < 2) await new Promise(setImmediate);
  await connection.close();
  await failed;
});

test('a server that was away for long is reached for again every few seconds, where gRPC would wait two minutes', async () => {
  const connection = reopeningConnection({ address: '127.0.0.1:1' });
  expect(connection.options.channelArgs).toMatchObject({
    'grpc.max_reconnect_backoff_ms': 5_000,
    'grpc.keepalive_time_ms': 30_000,
  });
  await connection.close();
});
