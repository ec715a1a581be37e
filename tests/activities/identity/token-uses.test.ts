import { v7 } from 'uuid';
import { accountDeletionActivities } from '../../../activities/identity/account-deletion/account-deletion.activities';
import { registrationActivities } from '../../../activities/identity/registration/registration.activities';
import { diskBlobs } from '../../../db/blobs/disk';
import { keepPendingRegistration } from '../../../db/identity/registration/pending-registration.writes';
import { policyFrom } from '../../../db/policy/config';
import { firstRow } from '../../../db/sql/query';
import { ownDatabase } from '../../support/servers/database';
import { mailsTo } from '../../support/checks/mail';
import { make } from '../../support/builders/make';
import { testVariables } from '../../support/worlds/variables';

/** Requests that present one mailed token; all of one workflow task have the same time. */
const own = ownDatabase();
const policy = policyFrom({});
const later = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toISOString();

/** An account that waits to be verified, by this token. */
async function unverified() {
  const [userId, tokenId] = [v7(), v7()];
  await keepPendingRegistration(own.db, {
    ...{ userId, email: `${userId}@example.com`, region: 'EU', passwordHash: 'x', firstName: 'Ada' },
    ...{ lastName: 'Lovelace', phone: null, acceptedMarketing: false, sponsorId: null, touchId: null },
  });
  const activities = registrationActivities({ db: own.db, policy });
  await activities.register({ userId, tokenId, at: later(0) });
  return (useId: string | undefined, at: string) =>
    activities.verifyEmail({ userId, tokenId, at, ...(useId !== undefined && { useId }) });
}

test('verified by two requests at one moment, and at once: one succeeds, the other is refused with ALREADY_VERIFIED', async () => {
  for (let round = 0; round < 5; round++) {
    const [verify, at] = [await unverified(), later(1)];
    const outcomes = await Promise.allSettled([verify(v7(), at), verify(v7(), at)]);
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(refused).toMatchObject([{ type: 'ALREADY_VERIFIED' }]);
    expect(outcomes).toContainEqual({ status: 'fulfilled', value: { verifiedAt: at } });
  }
});

test('verified again by the same request, it answers the same', async () => {
  const [verify, useId, at] = [await unverified(), v7(), later(1)];
  for (const moment of [at, at, later(5)]) expect(await verify(useId, moment)).toEqual({ verifiedAt: at });
});

test('a verification recorded before requests had ids is recognised by its time', async () => {
  const [verify, at] = [await unverified(), later(1)];
  for (let times = 0; times < 2; times++) expect(await verify(undefined, at)).toEqual({ verifiedAt: at });
  await expect(verify(undefined, later(5))).rejects.toMatchObject({ type: 'ALREADY_VERIFIED' });
});

test('a deletion undone by one request: repeated, it does nothing more; by another at that moment it is refused', async () => {
  const { id: userId, email } = await make.user(own.db);
  const blobs = diskBlobs(testVariables['BLOB_DIR']!);
  const activities = accountDeletionActivities({ db: own.db, blobs, policy });
  await activities.scheduleDeletion({ userId, at: later(0) });
  const token = await firstRow<{ id: string }>(own.db, 'SELECT id FROM mailed_tokens WHERE user_id = $1', [
    userId,
  ]);
  const [tokenId, useId, at] = [token!.id, v7(), later(1)];
  for (const moment of [at, at, later(5)])
    await activities.undoDeletion({ userId, tokenId, useId, at: moment });
  expect(await activities.dueDeletion({ userId })).toBeNull();
  expect(await mailsTo(own.db, email)).toHaveLength(2);
  await expect(activities.undoDeletion({ userId, tokenId, useId: v7(), at })).rejects.toMatchObject({
    type: 'INVALID_TOKEN',
  });
});
