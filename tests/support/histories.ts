import type { Client } from '@temporalio/client';
import { basename } from 'node:path';

interface Recorder {
  saveHistory: (client: Client, workflowId: string, name: string) => Promise<string>;
}

/** A file of some kilobytes tells as much as a longer one. */
const MAX_EVENTS = 40;

const named = new Map<string, string>();

/** Chooses this process's history as one to keep, under that name; a file that chooses keeps no others. */
export function nameHistory({ workflowId }: { workflowId: string }, name: string): void {
  named.set(workflowId, name);
}

/**
 * With RECORD_HISTORIES=1, keeps for every process that a test file ran the longest history of reasonable length,
 * under the name of the file: `RECORD_HISTORIES=1 npx jest tests/workflows`. Otherwise it does nothing.
 */
export async function recordHistories(client: Client): Promise<void> {
  if (process.env['RECORD_HISTORIES'] !== '1') return;
  const { saveHistory } = jest.requireActual<Recorder>('../replay/record.cjs');
  for (const [workflowId, name] of named) await saveHistory(client, workflowId, name);
  if (named.size > 0) return;
  const name = basename(expect.getState().testPath ?? 'unknown', '.test.ts');
  const longest = new Map<string, { workflowId: string; length: number }>();
  for await (const { type, workflowId, historyLength: length } of client.workflow.list()) {
    if (length <= MAX_EVENTS && length > (longest.get(type)?.length ?? 0))
      longest.set(type, { workflowId, length });
  }
  for (const { workflowId } of longest.values()) await saveHistory(client, workflowId, name);
}
