import type { JobResult } from '../../../../workflows/kit/job/job.contract';
import { kycExpiry } from '../../../../workflows/kyc/expiry/kyc-expiry.job';
import { make } from '../../../support/builders/make';
import {
  begunVerification,
  verificationState,
  type MadeVerification,
} from '../../../support/builders/kyc/verifying';
import { startJob } from '../../../support/worlds/run-job';
import { ownSkippingWorld } from '../../../support/worlds/skipping-world';
import { patient } from '../../commerce/sales';
import { reviewerOf, submits } from '../review/review-processes';

const DAY_MS = 86_400_000;

const world = ownSkippingWorld({ queues: ['interactive', 'batch', 'long'] });

const state = ({ kycId }: MadeVerification) => verificationState(world.db, kycId);

/** Lets time pass until then. */
const until = async (moment: Date): Promise<void> =>
  world.sleep(moment.getTime() - (await world.now()).getTime());

/** The run of a day; answers its words. */
async function daily(): Promise<string> {
  await startJob(world.temporal, kycExpiry);
  const { words } = (await patient(world).workflow.getHandle(kycExpiry.id).result()) as JobResult;
  return words;
}
const said = ({ expired, told }: { expired: number; told: number }): string =>
  `Verifications that expired: ${expired}; users told that theirs ends soon: ${told}`;

test('two years after the approval: its user is told 30 days ahead, loses the level on its last day, and verifies again', async () => {
  const reviewer = reviewerOf(world, (await make.admin(world.db)).id);
  const approves = async (
    options: Parameters<typeof begunVerification>[1] = {},
  ): Promise<MadeVerification> => {
    const info = { documentExpiryDate: '2099-01-01' };
    const one = await begunVerification(world.db, { ...options, info, at: await world.now() });
    await submits(world, one);
    await reviewer.approve(one);
    return one;
  };
  const one = await approves();
  const { expiresAt } = await state(one);
  const expected = await world.now();
  expected.setUTCFullYear(expected.getUTCFullYear() + 2);
  expect(Math.abs(expiresAt!.getTime() - expected.getTime())).toBeLessThan(DAY_MS);

  await until(new Date(expiresAt!.getTime() - 31 * DAY_MS));
  expect(await daily()).toBe(said({ expired: 0, told: 0 }));
  await until(new Date(expiresAt!.getTime() - 29 * DAY_MS));
  expect([await daily(), await daily()]).toEqual([
    said({ expired: 0, told: 1 }),
    said({ expired: 0, told: 0 }),
  ]);
  expect(await state(one)).toMatchObject({
    ...{ status: 'APPROVED', userStatus: 'APPROVED', userLevel: 'STANDARD' },
    mails: ['submitted', 'approved', 'expiring'],
  });

  await until(new Date(expiresAt!.getTime() + 60_000));
  expect([await daily(), await daily()]).toEqual([
    said({ expired: 1, told: 0 }),
    said({ expired: 0, told: 0 }),
  ]);
  expect(await state(one)).toMatchObject({
    ...{ status: 'EXPIRED', userStatus: 'NOT_STARTED', userLevel: 'BASIC' },
    history: ['SUBMITTED', 'APPROVED', 'EXPIRY_NOTICE_SENT', 'EXPIRED'],
    mails: ['submitted', 'approved', 'expiring', 'expired'],
    events: ['kyc.submitted', 'kyc.approved', 'kyc.expired'],
  });

  const next = await approves({ user: one.user });
  expect(await state(next)).toMatchObject({
    ...{ status: 'APPROVED', userStatus: 'APPROVED', userLevel: 'STANDARD' },
  });
});
