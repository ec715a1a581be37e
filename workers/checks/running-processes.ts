import { WorkflowNotFoundError, type Client, type WorkflowExecutionDescription } from '@temporalio/client';
import { searchAttributes } from '../../workflows/kit/search-attributes';

/** Most violations that a check reports of one kind; each one costs a call to the server. */
export const MOST_ROWS = 50;
/** Most processes in memory, and most ids in one query to the server. */
const PAGE = 500;
const IDS_PER_QUERY = 100;

export interface RunningProcess {
  workflowId: string;
  entityId: string;
  startTime: Date;
}

/**
 * The running processes of a type according to the server's visibility list, in pages; with `since`, only those started
 * from then on and those about the entities in `recheck`.
 */
export async function* runningPages(
  client: Client,
  type: string,
  { since, recheck }: { since: Date | null; recheck: readonly string[] },
): AsyncGenerator<RunningProcess[]> {
  const again = recheck.length > 0 ? ` OR EntityId IN (${quoted(recheck)})` : '';
  const later = since ? ` AND (StartTime >= '${since.toISOString()}'${again})` : '';
  const query = `ExecutionStatus = 'Running' AND WorkflowType = '${type}'${later}`;
  let page: RunningProcess[] = [];
  for await (const { workflowId, startTime, typedSearchAttributes } of client.workflow.list({ query })) {
    const entityId = typedSearchAttributes.get(searchAttributes.entityId) ?? '';
    page.push({ workflowId, startTime, entityId });
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

const quoted = (names: readonly string[]): string =>
  names.map((name) => `'${name.replaceAll("'", "''")}'`).join(', ');

/** The processes that the server's list shows as running. The list lags behind by some moments. */
export async function runningAmong(client: Client, workflowIds: readonly string[]): Promise<Set<string>> {
  const running = new Set<string>();
  for (let from = 0; from < workflowIds.length; from += IDS_PER_QUERY) {
    const names = quoted(workflowIds.slice(from, from + IDS_PER_QUERY));
    const query = `ExecutionStatus = 'Running' AND WorkflowId IN (${names})`;
    for await (const { workflowId } of client.workflow.list({ query })) running.add(workflowId);
  }
  return running;
}

/** The current description of a process, in contrast to the lagging list; null if it does not exist. */
export async function describeProcess(
  client: Client,
  workflowId: string,
): Promise<WorkflowExecutionDescription | null> {
  try {
    return await client.workflow.getHandle(workflowId).describe();
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}

export const isRunning = async (client: Client, workflowId: string): Promise<boolean> =>
  (await describeProcess(client, workflowId))?.status.name === 'RUNNING';
