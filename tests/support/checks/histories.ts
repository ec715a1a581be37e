import type { Client, WorkflowHandle } from '@temporalio/client';
import { basename } from 'node:path';

interface Recorder {
  saveHistory: (client: Pick<Client, 'workflow'>, workflowId: string, name: string) => Promise<string>;
}

/** Longer histories would show no other path. */
const MAX_EVENTS = 40;

/** With RECORD_HISTORIES=1, saves the history of this process under that name. If not, it does nothing. */
export async function keepHistory({ client, workflowId }: WorkflowHandle, name: string): Promise<void> {
  if (process.env['RECORD_HISTORIES'] !== '1') return;
  const { saveHistory } = jest.requireActual<Recorder>('../../replay/record.cjs');
  await saveHistory({ workflow: client }, workflowId, name);
}

/**
 * With RECORD_HISTORIES=1, saves for every process that a test file ran the longest history of at most 40 events,
 * under the name of the file: `RECORD_HISTORIES=1 npx jest tests/workflows`. If not, it does nothing.
 */
export async function recordHistories(client: Client): Promise<void> {
  if (process.env['RECORD_HISTORIES'] !== '1') return;
  const { saveHistory } = jest.requireActual<Recorder>('../../replay/record.cjs');
  const name = basename(expect.getState().testPath ?? 'unknown', '.test.ts');
  const longest = new Map<string, { workflowId: string; length: number }>();
  for await (const { type, workflowId, historyLength: length } of client.workflow.list()) {
    if (length <= MAX_EVENTS && length > (longest.get(type)?.length ?? 0))
      longest.set(type, { workflowId, length });
  }
  for (const { workflowId } of longest.values()) await saveHistory(client, workflowId, name);
}
