import { Worker } from '@temporalio/worker';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface RecordedEvent {
  eventId: string;
  eventTime: string;
  eventType: string;
  [attributes: string]: unknown;
}

export interface Recorded {
  workflowId: string;
  events: RecordedEvent[];
}

const { fromPlain } = jest.requireActual<{ fromPlain: (plain: unknown) => unknown }>('./history-json.cjs');

/** The paths of all recorded histories, in folders by process. */
export const recordedPaths = readdirSync(__dirname, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.json'))
  .sort();

export const readRecorded = (path: string): Recorded =>
  JSON.parse(readFileSync(join(__dirname, path), 'utf8')) as Recorded;

/** The longest history of each process: for what must hold of every process and not of every path through it. */
export const onePerProcess = [...new Set(recordedPaths.map(dirname))].map((folder) => {
  const paths = recordedPaths.filter((path) => dirname(path) === folder);
  const lengthOf = (path: string) => readRecorded(path).events.length;
  return paths.reduce((longest, path) => (lengthOf(path) > lengthOf(longest) ? path : longest));
});

type ReplayOptions = Parameters<typeof Worker.runReplayHistory>[0];

/** Rejects if the code would not do again what the history says. */
export const replay = ({ workflowId, ...history }: Recorded, options: ReplayOptions): Promise<void> =>
  Worker.runReplayHistory(options, fromPlain(history), workflowId);
