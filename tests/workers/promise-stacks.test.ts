import { startProcesses } from '../../workers/start';
import { outboxSenderProcess } from '../../workflows/administration/outbox/outbox-sender.contract';
import { ownWorld } from '../support/worlds/world';

const world = ownWorld();

test('the SDK keeps no stack trace of each promise of workflow code', async () => {
  await startProcesses(world.temporal)(outboxSenderProcess, {});
  const running = world.temporal.workflow.getHandle('outbox-sender');
  await expect(running.query('__stack_trace')).rejects.toThrow(
    'Workflow stack traces are not enabled on this worker',
  );
  expect(await running.query('__enhanced_stack_trace').catch(String)).toContain('not enabled');
});
