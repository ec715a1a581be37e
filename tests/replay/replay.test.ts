import { Worker } from '@temporalio/worker';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workflowBundle } from '../support/bundle';
import { quietRuntime } from '../support/quiet-runtime';

interface Recorded {
  workflowId: string;
  events: { eventType: string; activityType?: { name: string } }[];
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

test.each(recorded)('%s with one event of another kind is refused', async (path) => {
  const history = read(path);
  // Whatever the process did first, history now says that it set a timer instead.
  const begun = history.events.findIndex(({ eventType }) => eventType.endsWith('WORKFLOW_TASK_COMPLETED'));
  const { eventId, eventTime } = history.events[begun + 1] as unknown as {
    eventId: string;
    eventTime: string;
  };
  const timer = {
    eventId,
    eventTime,
    eventType: 'EVENT_TYPE_TIMER_STARTED',
    timerStartedEventAttributes: { timerId: 'nobody-set-me', startToFireTimeout: '1s' },
  };
  const tampered = { ...history, events: [...history.events.slice(0, begun + 1), timer] };
  await expect(replay(tampered)).rejects.toThrow(/nondetermini/i);
});
