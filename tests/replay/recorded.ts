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

/** Histories that together have every kind of event and every name of a step, message and child of their process. */
export const everyKindOfEvent = [...new Set(recordedPaths.map(dirname))].flatMap((folder) => {
  const kinds = new Set<string>();
  return recordedPaths
    .filter((path) => dirname(path) === folder)
    .map((path) => ({ path, kinds: readRecorded(path).events.map(kindOf) }))
    .sort((one, other) => other.kinds.length - one.kinds.length)
    .filter(({ kinds: own }) => {
      const isNew = own.some((kind) => !kinds.has(kind));
      own.forEach((kind) => kinds.add(kind));
      return isNew;
    })
    .map(({ path }) => path);
});

/** The type of an event with the names in it, such as those of the activity or the signal. */
function kindOf({ eventType, ...event }: RecordedEvent): string {
  const names: string[] = [];
  JSON.stringify(event, (key, value: unknown) => {
    if (/^(name|signalName|markerName)$/.test(key) && typeof value === 'string') names.push(value);
    return /Payload|input|result|header/i.test(key) ? undefined : value;
  });
  return [eventType, ...names].join(' ');
}

/** Known, so that a replay logs nothing about it; it is never called. */
const parking = { retryEnded: { fn: () => undefined } };

type ReplayOptions = Parameters<typeof Worker.runReplayHistories>[0];

/**
 * Replays the histories, given by name, by one worker. By name, the error of each that the code would not do again; null
 * where it would.
 */
export async function replayAll(
  histories: ReadonlyMap<string, Recorded>,
  { sinks, ...options }: ReplayOptions,
): Promise<Map<string, Error | null>> {
  const named = [...histories].map(([workflowId, { workflowId: _, ...history }]) => ({
    workflowId,
    history: fromPlain(history),
  }));
  const outcomes = new Map<string, Error | null>();
  const replayed = Worker.runReplayHistories({ ...options, sinks: { parking, ...sinks } }, named);
  for await (const { workflowId, error } of replayed) outcomes.set(workflowId, error ?? null);
  return outcomes;
}
