import { DefaultLogger, Runtime } from '@temporalio/worker';
import { keepNoPromiseStacks } from '../../../workers/promise-stacks';
import { shareWorkflowThreads } from './workflow-threads';

let installed = false;

/** Installs Temporal's runtime for the test file; workers log errors only. */
export function quietRuntime(): void {
  if (installed) return;
  installed = true;
  keepNoPromiseStacks();
  shareWorkflowThreads();
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: { core: 'ERROR', other: 'ERROR' }, forward: {} } },
    shutdownSignals: [],
  });
}
