import { ApplicationFailure } from '@temporalio/common';
import { v7 } from 'uuid';
import { firstRow } from '../../../../db/sql/query';
import { keepPasswordResetRequest } from '../../../../db/identity/password/password-reset-request.writes';
import { passwordResetProcess } from '../../../../workflows/identity/password-reset/password-reset.contract';
import { abandonStep, retryStep } from '../../../../workflows/kit/parking.contract';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import { mailsTo } from '../../../support/checks/mail';
import { make } from '../../../support/builders/make';
import { startWorld, type World } from '../../../support/worlds/world';

let world: World;
/** Errors instead of an answer: the step was done, and its worker died. */
let losses: Error[];
/** The error of a database that does nothing. */
let refusal: Error | undefined;
beforeAll(async () => {
  losses = [];
  world = await startWorld({
    queues: ['interactive'],
    fakes: (real) => ({
      mailPasswordReset: async (request) => {
        if (refusal) throw refusal;
        const answer = await real.mailPasswordReset(request);
        const loss = losses.shift();
        if (loss) throw loss;
        return answer;
      },
    }),
  });
});
afterAll(() => world.teardown());

async function forgotten(email: string) {
  const resetRequestId = v7();
  await keepPasswordResetRequest(world.db, resetRequestId, { region: 'EU', email });
  await world.processes.start(passwordResetProcess, { resetRequestId });
  return world.temporal.workflow.getHandle(passwordResetProcess.id({ resetRequestId }));
}

test('an account gets one mail, also if the answer of the step was lost', async () => {
  const { email } = await make.user(world.db);
  losses = [ApplicationFailure.retryable('the worker died')];
  const process = await forgotten(email);
  expect(await process.result()).toBe('MAILED');
  expect(await mailsTo(world.db, email)).toHaveLength(1);
  await keepHistory(process, 'mailed');
});

test('without an account nothing is mailed', async () => {
  const process = await forgotten('nobody@example.com');
  expect(await process.result()).toBe('NOBODY');
  expect(await mailsTo(world.db, 'nobody@example.com')).toEqual([]);
  await keepHistory(process, 'nobody');
});

describe('a mail that the database refuses waits for an operator', () => {
  /** A request whose process is parked. */
  async function parked() {
    const { email } = await make.user(world.db);
    refusal = ApplicationFailure.nonRetryable('the disk is full', 'DiskFull');
    const process = await forgotten(email);
    await eventually(async () =>
      expect(
        await firstRow(world.db, 'SELECT type FROM parked_processes WHERE workflow_id = $1', [
          process.workflowId,
        ]),
      ).toEqual({ type: 'passwordReset' }),
    );
    refusal = undefined;
    return { email, process };
  }

  test('who has it tried again: one mail', async () => {
    const { email, process } = await parked();
    await process.executeUpdate(retryStep, { args: [{ noteId: null }] });
    expect(await process.result()).toBe('MAILED');
    expect(await mailsTo(world.db, email)).toHaveLength(1);
    await keepHistory(process, 'parked-then-retried');
  });

  test('who abandons it: nothing is mailed', async () => {
    const { email, process } = await parked();
    await process.executeUpdate(abandonStep, { args: [{ noteId: null }] });
    expect(await process.result()).toBe('ABANDONED');
    expect(await mailsTo(world.db, email)).toEqual([]);
    await keepHistory(process, 'parked-then-abandoned');
  });
});
