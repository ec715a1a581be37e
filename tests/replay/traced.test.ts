import { Worker } from '@temporalio/worker';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from '../../workers/bundle';
import { quietRuntime } from '../support/run/quiet-runtime';

const { fromPlain } = jest.requireActual<{ fromPlain: (plain: unknown) => unknown }>('./history-json.cjs');

const recorded = readdirSync(__dirname, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.json'))
  .sort();

const nobodyListens = { exporter: { export: { fn: () => undefined } } };

let code: string;
beforeAll(async () => {
  quietRuntime();
  code = await bundle('traced', 'ERROR');
}, 120_000);

/** Operators switch traces on under processes that are under way; these histories were recorded without. */
test.each(recorded)('%s replays where traces are taken', async (path) => {
  const { workflowId, ...history } = JSON.parse(readFileSync(join(__dirname, path), 'utf8')) as {
    workflowId: string;
  };
  await Worker.runReplayHistory(
    { workflowBundle: { code }, sinks: nobodyListens },
    fromPlain(history),
    workflowId,
  );
});
