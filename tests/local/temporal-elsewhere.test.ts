import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { GrpcStatus } from '../../workflows/grpc-status';
import { makeAuthority } from '../support/fakes/authority';
import { TemporalProxy } from '../support/fakes/temporal-proxy';
import { Cleanup } from '../support/run/cleanup';
import { connectTemporal } from '../support/servers/temporal';
import { Machine } from '../support/worlds/launched-world';
import { useScratch } from './scratch';

const scratch = useScratch();
const cleanup = new Cleanup();
afterEach(() => cleanup.run());

test('with a server that is reached by TLS and a key, and takes no search attributes, everything runs', async () => {
  const authority = makeAuthority();
  const ca = path.join(scratch(), 'ca.pem');
  writeFileSync(ca, authority.ca);
  const temporal = await connectTemporal();
  cleanup.add(temporal.close);
  const cloud = await TemporalProxy.open(
    temporal.address,
    (method, _count, { authorization }) =>
      authorization !== 'Bearer k-1' || method === 'AddSearchAttributes'
        ? GrpcStatus.PERMISSION_DENIED
        : undefined,
    authority,
  );
  cleanup.add(() => cloud.close());
  const machine = await Machine.at(path.join(scratch(), 'data'), {
    TEMPORAL_ADDRESS: cloud.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    TEMPORAL_TLS_CA: ca,
    TEMPORAL_API_KEY: 'k-1',
  });
  const running = await machine.start();
  cleanup.add(running.stop);
  expect(await machine.invariants()).toMatchObject({ code: 0 });
  expect(cloud.calls).toContain('AddSearchAttributes');
});
