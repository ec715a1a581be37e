import { bundle } from '../../workers/bundle';
import { quietRuntime } from '../support/servers/quiet-runtime';
import { everyKindOfEvent, readRecorded, replay } from './recorded';

const discarding = { exporter: { export: { fn: () => undefined } } };

let code: string;
beforeAll(async () => {
  quietRuntime();
  code = await bundle('traced', 'ERROR');
});

/** Operators switch traces on while processes run; these histories were recorded without traces. */
test.each(everyKindOfEvent)('%s replays where traces are taken', async (path) => {
  await replay(readRecorded(path), { workflowBundle: { code }, sinks: discarding });
});
