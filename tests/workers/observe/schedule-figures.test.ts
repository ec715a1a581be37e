import { figuresOf } from '../../../workers/observe/schedule-figures';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const at = (clock: string): Date => new Date(`2026-11-21T${clock}Z`);

const quiet = {
  state: { paused: false },
  info: {
    nextActionTimes: [at('12:01:00')],
    recentActions: [],
    runningActions: [],
    numActionsMissedCatchupWindow: 0,
  },
};

const run = (workflowId: string, scheduledAt: Date) => {
  const action = { type: 'startWorkflow' as const, workflow: { workflowId, firstExecutionRunId: 'r' } };
  return { action, scheduledAt, takenAt: scheduledAt };
};

it('no lag while the next run is in the future', () => {
  expect(figuresOf('x', quiet, NOW)).toEqual({
    ...{ id: 'x', lagSeconds: 0, runningSeconds: 0, paused: false, missed: 0 },
  });
});

it('an overdue run has a lag, counted from the first of them', () => {
  const info = { ...quiet.info, nextActionTimes: [at('11:58:30'), at('11:59:30')] };
  expect(figuresOf('x', { ...quiet, info }, NOW)).toMatchObject({ lagSeconds: 90 });
  expect(figuresOf('x', { info, state: { paused: true } }, NOW)).toMatchObject({
    lagSeconds: 0,
    paused: true,
  });
});

it('a current run is counted from its scheduled time; ended ones are not', () => {
  const late = run('late', at('11:50:00'));
  const info = {
    ...quiet.info,
    numActionsMissedCatchupWindow: 2,
    recentActions: [run('done', at('09:00:00')), late],
    runningActions: [late.action],
  };
  expect(figuresOf('x', { ...quiet, info }, NOW)).toMatchObject({ runningSeconds: 600, missed: 2 });
});
