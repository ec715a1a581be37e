import { workflowBundle } from '../support/run/bundle';
import { quietRuntime } from '../support/servers/quiet-runtime';
import {
  onePerProcess,
  readRecorded,
  recordedPaths,
  replayAll,
  type Recorded,
  type RecordedEvent,
} from './recorded';

let asRecorded: Map<string, Error | null>;
let changed: Map<string, Error | null>;
beforeAll(async () => {
  quietRuntime();
  const replayed = (paths: readonly string[], change: (history: Recorded) => Recorded) =>
    replayAll(new Map(paths.map((path) => [path, change(readRecorded(path))])), {
      workflowBundle: workflowBundle(),
    });
  asRecorded = await replayed(recordedPaths, (history) => history);
  changed = await replayed(onePerProcess, withAnotherEnd);
});

test.each(recordedPaths)('%s still replays', (path) => {
  expect(asRecorded.get(path)).toBeNull();
});

test.each(onePerProcess)('%s with its last command changed is refused', (path) => {
  expect(changed.get(path)?.message).toMatch(/nondetermini/i);
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
