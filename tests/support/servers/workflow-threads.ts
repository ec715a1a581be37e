import { ThreadedVMWorkflowCreator } from '@temporalio/worker/lib/workflow/threaded-vm';

type Create = typeof ThreadedVMWorkflowCreator.create;
type Creator = Awaited<ReturnType<Create>>;

/**
 * Lets workers of this process, also those of later test files, share threads of workflow code. A thread loads the SDK and the whole
 * bundle when it starts, about a second of CPU, and each world has three workers. Workflows stay apart in a thread, as in a worker.
 */
export function shareWorkflowThreads(): void {
  const create = ThreadedVMWorkflowCreator.create.bind(ThreadedVMWorkflowCreator);
  const created = new Map<string, Promise<Creator>>();
  ThreadedVMWorkflowCreator.create = (options) => {
    const { workflowBundle, registeredActivityNames } = options;
    const key = JSON.stringify([workflowBundle.filename, [...registeredActivityNames].sort()]);
    const known = created.get(key) ?? create(options).then(kept);
    created.set(key, known);
    return known;
  };
}

/** A creator whose threads outlive the worker that asked for it, but not the process. */
function kept(creator: Creator): Creator {
  creator.destroy = () => Promise.resolve();
  for (const client of creator['workerThreadClients']) client['workerThread'].unref();
  return creator;
}
