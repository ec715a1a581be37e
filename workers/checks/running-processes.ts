import { WorkflowNotFoundError, type Client, type WorkflowExecutionDescription } from '@temporalio/client';
import { searchAttributes } from '../../workflows/kit/search-attributes';

/** So many processes are held in memory, or named in one question to the server, at a time. */
const PAGE = 500;
const NAMED = 100;

export interface RunningProcess {
  workflowId: string;
  entityId: string;
  startTime: Date;
}

/**
 * Running processes of a type as the server's list has them, page by page; with `since`, those started from then on and
 * those about the entities `recheck`.
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

/** Those of the processes that the server's list shows as running; it may be a moment late. */
export async function runningAmong(client: Client, workflowIds: readonly string[]): Promise<Set<string>> {
  const running = new Set<string>();
  for (let from = 0; from < workflowIds.length; from += NAMED) {
    const names = quoted(workflowIds.slice(from, from + NAMED));
    const query = `ExecutionStatus = 'Running' AND WorkflowId IN (${names})`;
    for await (const { workflowId } of client.workflow.list({ query })) running.add(workflowId);
  }
  return running;
}

/** The process as its server has it, not as its lists show it; null when there is none. */
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
