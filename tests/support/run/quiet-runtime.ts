import { DefaultLogger, Runtime } from '@temporalio/worker';

let installed = false;

/** Installs Temporal's runtime for the test file; workers log errors only. */
export function quietRuntime(): void {
  if (installed) return;
  installed = true;
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: { core: 'ERROR', other: 'ERROR' }, forward: {} } },
    shutdownSignals: [],
  });
}
