import { workflowBundle } from '../support/run/bundle';
import { quietRuntime } from '../support/servers/quiet-runtime';
import {
  onePerProcess,
  readRecorded,
  recordedPaths,
  replay,
  type Recorded,
  type RecordedEvent,
} from './recorded';

const plain = () => ({ workflowBundle: workflowBundle() });

beforeAll(quietRuntime);

test.each(recordedPaths)('%s still replays', async (path) => {
  await replay(readRecorded(path), plain());
});

test.each(onePerProcess)('%s with its last command changed is refused', async (path) => {
  await expect(replay(withAnotherEnd(readRecorded(path)), plain())).rejects.toThrow(/nondetermini/i);
});

/** The history up to the last command of the process, which is replaced by an activity that it does not schedule. */
function withAnotherEnd(history: Recorded): Recorded {
  const last = history.events.findLastIndex(isCommand);
  const { eventId, eventTime, ...event } = history.events[last]!;
  const [attributes] = Object.values(event).filter(isCommandAttributes);
  const stranger = {
    eventId,
    eventTime,
    eventType: 'EVENT_TYPE_ACTIVITY_TASK_SCHEDULED',
    activityTaskScheduledEventAttributes: {
      activityId: 'unscheduled',
      activityType: { name: 'unscheduled' },
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
