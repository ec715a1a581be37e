import { DefaultLogger, Runtime } from '@temporalio/worker';

let installed = false;

/** Temporal's runtime belongs to the test file; what workers do is nobody's reading unless it goes wrong. */
export function quietRuntime(): void {
  if (installed) return;
  installed = true;
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: { core: 'ERROR', other: 'ERROR' }, forward: {} } },
    shutdownSignals: [],
  });
}
