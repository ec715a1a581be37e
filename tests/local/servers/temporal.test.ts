import { Client, Connection } from '@temporalio/client';
import path from 'node:path';
import { SEARCH_ATTRIBUTES } from '../../../db/program/temporal/search-attributes';
import { startTemporal, type RunningTemporal } from '../../../local/temporal-server/temporal';
import { resolveTemporalCli } from '../../../local/toolchain/temporal-cli';
import { useScratch } from '../scratch';

const scratch = useScratch();
let running: RunningTemporal | undefined;
afterEach(() => running?.stop());

const start = async (dbFile?: string) => {
  const log = () => undefined;
  running = await startTemporal({
    cli: await resolveTemporalCli(log),
    log,
    ...(dbFile === undefined ? {} : { dbFile }),
  });
  return running;
};

const withClient = async <Answer>(
  address: string,
  ask: (client: Client) => Promise<Answer>,
): Promise<Answer> => {
  const connection = await Connection.connect({ address });
  try {
    return await ask(new Client({ connection }));
  } finally {
    await connection.close();
  }
};

it('answers with every search attribute registered', async () => {
  const { address } = await start();
  const registered = await withClient(address, async ({ connection }) => {
    const { customAttributes } = await connection.operatorService.listSearchAttributes({
      namespace: 'default',
    });
    return Object.keys(customAttributes);
  });
  expect(registered).toEqual(expect.arrayContaining(Object.keys(SEARCH_ATTRIBUTES)));
});

it('keeps its processes over a stop and a kill', async () => {
  const dbFile = path.join(scratch(), 'temporal.db');
  const first = await start(dbFile);
  await withClient(first.address, (client) =>
    client.workflow.start('waiting', { workflowId: 'kept:1', taskQueue: 'nobody' }),
  );
  await first.stop();
  const second = await start(dbFile);
  await withClient(second.address, (client) =>
    client.workflow.start('waiting', { workflowId: 'kept:2', taskQueue: 'nobody' }),
  );
  await second.kill();
  const third = await start(dbFile);
  const statuses = await withClient(third.address, async (client) => [
    (await client.workflow.getHandle('kept:1').describe()).status.name,
    (await client.workflow.getHandle('kept:2').describe()).status.name,
  ]);
  expect(statuses).toEqual(['RUNNING', 'RUNNING']);
});

it('says why when its program cannot serve', async () => {
  const broken = startTemporal({ cli: process.execPath, log: () => undefined });
  await expect(broken).rejects.toThrow('Temporal ended with code');
});
