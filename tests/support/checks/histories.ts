import type { Client, WorkflowHandle } from '@temporalio/client';

interface Recorder {
  saveHistory: (
    client: Pick<Client, 'workflow'>,
    workflowId: string,
    name: string,
    runId?: string,
  ) => Promise<string>;
}

/**
 * With RECORD_HISTORIES=1, saves the history of this process under that name, unless one is recorded already (tests/replay/frozen.cjs).
 * Without it, does nothing. `runId`: of a process that has continued as new; left out, the last run.
 */
export async function keepHistory(
  { client, workflowId }: WorkflowHandle,
  name: string,
  runId?: string,
): Promise<void> {
  if (process.env['RECORD_HISTORIES'] !== '1') return;
  const { saveHistory } = jest.requireActual<Recorder>('../../replay/record.cjs');
  try {
    await saveHistory({ workflow: client }, workflowId, name, runId);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
