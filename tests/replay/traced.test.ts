import { bundle } from '../../workers/bundle';
import { quietRuntime } from '../support/servers/quiet-runtime';
import { everyKindOfEvent, readRecorded, replayAll } from './recorded';

const discarding = { exporter: { export: { fn: () => undefined } } };

let outcomes: Map<string, Error | null>;
beforeAll(async () => {
  quietRuntime();
  const histories = new Map(everyKindOfEvent.map((path) => [path, readRecorded(path)]));
  const code = await bundle('traced', 'ERROR');
  outcomes = await replayAll(histories, { workflowBundle: { code }, sinks: discarding });
});

/** Operators switch traces on while processes run; these histories were recorded without traces. */
test.each(everyKindOfEvent)('%s replays where traces are taken', (path) => {
  expect(outcomes.get(path)).toBeNull();
});
