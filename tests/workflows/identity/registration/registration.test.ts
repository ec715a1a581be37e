import { Client, type WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { v7 } from 'uuid';
import { keepPendingRegistration } from '../../../../db/identity/registration/pending-registration.writes';
import { presentedToken } from '../../../../db/identity/mailed-token/mailed-token.reads';
import { firstRow, rows } from '../../../../db/sql/query';
import { abandonStep, retryStep } from '../../../../workflows/kit/parking.contract';
import {
  register,
  registrationProcess,
  resendVerification,
  verifyEmail,
} from '../../../../workflows/identity/registration/registration.contract';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import { latestToken, mailsTo } from '../../../support/checks/mail';
import { nextNumber } from '../../../support/builders/make/insert';
import { startSkippingWorld, type SkippingWorld } from '../../../support/worlds/skipping-world';

type Step = 'register' | 'removeUnverified' | 'registrationState';

let world: SkippingWorld;
/** Failures before a step's work, or after it: done, with the answer lost. */
let before: Partial<Record<Step, Error>>;
let after: Partial<Record<Step, Error[]>>;

beforeAll(async () => {
  const troubled =
    <Command, Answer>(step: Step, work: (command: Command) => Promise<Answer>) =>
    async (command: Command): Promise<Answer> => {
      if (before[step]) throw before[step];
      const answer = await work(command);
      const trouble = after[step]?.shift();
      if (trouble) throw trouble;
      return answer;
    };
  world = await startSkippingWorld({
    queues: ['interactive'],
    fakes: (real) => ({
      register: troubled('register', real.register),
      registrationState: troubled('registrationState', real.registrationState),
      removeUnverified: troubled('removeUnverified', real.removeUnverified),
    }),
  });
});
afterAll(() => world.teardown());
beforeEach(() => {
  before = {};
  after = {};
});

interface Newcomer {
  userId: string;
  email: string;
  process: WorkflowHandle;
}

const broken = (): Error => ApplicationFailure.nonRetryable('the disk is full', 'DiskFull');

/** Waits without letting time pass. */
const patient = () =>
  new Client({ connection: world.temporal.connection, namespace: world.temporal.options.namespace });

/** A stored registration whose process is not opened yet. */
async function newcomer(email = `entering${nextNumber()}@example.com`): Promise<Newcomer> {
  const userId = v7();
  await keepPendingRegistration(world.db, {
    userId,
    region: 'EU',
    email,
    passwordHash: 'not a hash of anything',
    firstName: 'Grace',
    lastName: 'Hopper',
    phone: null,
    acceptedMarketing: false,
    sponsorId: null,
    touchId: null,
  });
  const process = patient().workflow.getHandle(registrationProcess.id({ userId }));
  return { userId, email, process };
}

const enter = ({ userId }: Newcomer) =>
  world.processes.open(registrationProcess, { userId }, register, { tokenId: v7() }, { updateId: v7() });

async function verify({ email, process }: Newcomer): Promise<{ verifiedAt: string }> {
  const token = await presentedToken(world.db, 'VERIFY_EMAIL', await latestToken(world.db, email));
  const options = { updateId: v7() };
  return world.processes.ask(process.workflowId, verifyEmail, { tokenId: token!.id, useId: v7() }, options);
}

const resend = ({ process }: Newcomer) =>
  world.processes.ask(process.workflowId, resendVerification, { tokenId: v7() }, { updateId: v7() });

const statusOf = async ({ userId }: Newcomer): Promise<string | undefined> =>
  (await firstRow<{ status: string }>(world.db, 'SELECT status FROM users WHERE id = $1', [userId]))?.status;

test('an account that nobody verifies is deleted after 7 days, and its address is free again', async () => {
  const ada = await newcomer();
  await enter(ada);
  await world.sleep('6 days');
  await world.sleep('23 hours');
  expect(await statusOf(ada)).toBe('PENDING_VERIFICATION');
  await world.sleep('2 hours');
  expect(await ada.process.result()).toBe('REMOVED');
  expect(await statusOf(ada)).toBeUndefined();
  expect(await rows(world.db, 'SELECT id FROM mailed_tokens WHERE user_id = $1', [ada.userId])).toEqual([]);
  await keepHistory(ada.process, 'removed');

  const again = await newcomer(ada.email);
  await enter(again);
  expect(await statusOf(again)).toBe('PENDING_VERIFICATION');
});

test('an account that is verified stays', async () => {
  const ada = await newcomer();
  await enter(ada);
  await world.sleep('20 hours');
  const { verifiedAt } = await verify(ada);
  expect(await ada.process.result()).toBe('VERIFIED');
  await keepHistory(ada.process, 'verified');
  await world.sleep('8 days');
  expect(await statusOf(ada)).toBe('ACTIVE');
  expect(
    await firstRow(world.db, 'SELECT email_verified_at AS at, kyc_level AS level FROM users WHERE id = $1', [
      ada.userId,
    ]),
  ).toEqual({ at: new Date(verifiedAt), level: 'BASIC' });
});

test('a token is good for 24 hours; a new one can be had until the end', async () => {
  const ada = await newcomer();
  await enter(ada);
  await world.sleep('25 hours');
  await expect(verify(ada)).rejects.toMatchObject({ type: 'TOKEN_EXPIRED' });
  await world.sleep('5 days');
  await resend(ada);
  await verify(ada);
  expect(await ada.process.result()).toBe('VERIFIED');
  await keepHistory(ada.process, 'resent');
});

test('an address that somebody has is refused, and that process ends', async () => {
  const ada = await newcomer();
  await enter(ada);
  const twin = await newcomer(ada.email);
  await expect(enter(twin)).rejects.toMatchObject({ type: 'EMAIL_ALREADY_EXISTS' });
  expect(await twin.process.result()).toBe('REFUSED');
  await keepHistory(twin.process, 'refused');
});

test('a step whose answer was lost is done once: one account, one token, one mail', async () => {
  const ada = await newcomer();
  after.register = [ApplicationFailure.retryable('the worker died'), ApplicationFailure.retryable('again')];
  await enter(ada);
  expect(await mailsTo(world.db, ada.email)).toHaveLength(1);
  expect(await rows(world.db, 'SELECT id FROM mailed_tokens WHERE user_id = $1', [ada.userId])).toHaveLength(
    1,
  );
  await verify(ada);
});

test('an account that was opened although its request failed can be verified', async () => {
  const ada = await newcomer();
  after.register = [broken()];
  await expect(enter(ada)).rejects.toThrow();
  await verify(ada);
  expect(await ada.process.result()).toBe('VERIFIED');
  await keepHistory(ada.process, 'opened-unheard');
});

/** An account that is to be removed, which the database refuses. */
async function parked(): Promise<Newcomer> {
  const ada = await newcomer();
  await enter(ada);
  before.removeUnverified = broken();
  await world.sleep('8 days');
  await eventually(async () =>
    expect(
      await firstRow(world.db, 'SELECT type FROM parked_processes WHERE workflow_id = $1', [
        ada.process.workflowId,
      ]),
    ).toEqual({ type: 'registration' }),
  );
  before = {};
  return ada;
}

test('a deletion that the database refuses parks, and continues after retry', async () => {
  const ada = await parked();
  await ada.process.executeUpdate(retryStep, { args: [{ noteId: null }] });
  expect(await ada.process.result()).toBe('REMOVED');
  expect(await statusOf(ada)).toBeUndefined();
  await keepHistory(ada.process, 'parked-then-retried');
});

test('abandoned by an operator, it ends, and the account stays', async () => {
  const ada = await parked();
  await ada.process.executeUpdate(abandonStep, { args: [{ noteId: null }] });
  expect(await ada.process.result()).toBe('ABANDONED');
  expect(await statusOf(ada)).toBe('PENDING_VERIFICATION');
  await keepHistory(ada.process, 'parked-then-abandoned');
});
