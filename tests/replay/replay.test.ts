import { Worker } from '@temporalio/worker';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workflowBundle } from '../support/run/bundle';
import { quietRuntime } from '../support/run/quiet-runtime';

interface RecordedEvent {
  eventId: string;
  eventTime: string;
  eventType: string;
  [attributes: string]: unknown;
}

interface Recorded {
  workflowId: string;
  events: RecordedEvent[];
}

const { fromPlain } = jest.requireActual<{ fromPlain: (plain: unknown) => unknown }>('./history-json.cjs');

const recorded = readdirSync(__dirname, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.json'))
  .sort();

const read = (path: string): Recorded => JSON.parse(readFileSync(join(__dirname, path), 'utf8'));

const replay = ({ workflowId, ...history }: Recorded): Promise<void> =>
  Worker.runReplayHistory({ workflowBundle: workflowBundle() }, fromPlain(history), workflowId);

beforeAll(quietRuntime);

test.each(recorded)('%s still replays', async (path) => {
  await replay(read(path));
});

test.each(recorded)('%s with its last command changed is refused', async (path) => {
  await expect(replay(withAnotherEnd(read(path)))).rejects.toThrow(/nondetermini/i);
});

/** The history up to the last thing that the process did, which now is an activity that it never asked for. */
function withAnotherEnd(history: Recorded): Recorded {
  const last = history.events.findLastIndex(isCommand);
  const { eventId, eventTime, ...event } = history.events[last]!;
  const [attributes] = Object.values(event).filter(isCommandAttributes);
  const stranger = {
    eventId,
    eventTime,
    eventType: 'EVENT_TYPE_ACTIVITY_TASK_SCHEDULED',
    activityTaskScheduledEventAttributes: {
      activityId: 'nobody-asked',
      activityType: { name: 'nobodyAsked' },
      workflowTaskCompletedEventId: attributes!.workflowTaskCompletedEventId,
    },
  };
  return { ...history, events: [...history.events.slice(0, last), stranger] };
}

/** Markers are left out: a step that ran inside the process would be run again and not compared. */
const isCommand = (event: RecordedEvent): boolean =>
  event.eventType !== 'EVENT_TYPE_MARKER_RECORDED' && Object.values(event).some(isCommandAttributes);

function isCommandAttributes(value: unknown): value is { workflowTaskCompletedEventId: string } {
  return typeof value === 'object' && value !== null && 'workflowTaskCompletedEventId' in value;
}
