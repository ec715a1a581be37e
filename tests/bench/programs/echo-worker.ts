import { createServer } from 'node:http';
import { NativeConnection, Worker } from '@temporalio/worker';
import { z } from 'zod';
import { ECHO } from '../echo';

const config = z.object({ PORT: z.coerce.number(), TEMPORAL_ADDRESS: z.string() }).parse(process.env);

async function main(): Promise<void> {
  const worker = await Worker.create({
    connection: await NativeConnection.connect({ address: config.TEMPORAL_ADDRESS }),
    taskQueue: ECHO.taskQueue,
    workflowsPath: require.resolve('./echo.workflow'),
  });
  createServer((_req, res) => res.end()).listen(config.PORT);
  await worker.run();
  process.exit();
}

void main();
