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

const own = ownDatabase();
const at = '2026-03-01T10:00:00.000Z';

test('how long an account waits to be verified, and its token is good, is policy', async () => {
  const userId = v7();
  const email = `${userId}@example.com`;
  await keepPendingRegistration(own.db, {
    ...{ userId, email, region: 'EU', passwordHash: 'x', firstName: 'Ada', lastName: 'Lovelace' },
    ...{ phone: null, acceptedMarketing: false, sponsorId: null, touchId: null },
  });
  const policy = policyFrom({ POLICY_UNVERIFIED_DAYS: '2', POLICY_VERIFICATION_HOURS: '1' });
  const activities = registrationActivities({ db: own.db, policy });
  const tokenId = v7();
  const opened = { createdAt: at, removeAt: '2026-03-03T10:00:00.000Z' };
  expect(await activities.register({ userId, tokenId, at })).toEqual(opened);
  expect(await activities.registrationStanding({ userId })).toEqual(opened);
  const token = await firstRow<{ until: Date }>(
    own.db,
    'SELECT expires_at AS until FROM mailed_tokens WHERE id = $1',
    [tokenId],
  );
  expect(token!.until.toISOString()).toBe('2026-03-01T11:00:00.000Z');
  const [mail] = await mailsTo(own.db, email);
  expect(mail!.text).toContain('It is good for 1 hour and for one use.');
  expect(mail!.text).toContain('the account is removed after 2 days.');
  expect(await activities.removeUnverified({ userId, at: '2026-03-03T09:59:59.999Z' })).toEqual(opened);
  expect(await activities.removeUnverified({ userId, at: opened.removeAt })).toBe('GONE');
});

test('the grace period of a deletion is policy', async () => {
  const { id: userId, email } = await make.user(own.db);
  const policy = policyFrom({ POLICY_DELETION_GRACE_DAYS: '3' });
  const blobs = diskBlobs(testVariables['BLOB_DIR']!);
  const activities = accountDeletionActivities({ db: own.db, blobs, policy });
  const due = { dueAt: '2026-03-04T10:00:00.000Z' };
  expect(await activities.scheduleDeletion({ userId, at })).toEqual(due);
  // Retried or requested again, the day stays, and the token of the first mail counts.
  expect(await activities.scheduleDeletion({ userId, at: '2026-03-02T10:00:00.000Z' })).toEqual(due);
  const mails = await mailsTo(own.db, email);
  expect(mails).toHaveLength(1);
  expect(mails[0]!.text).toContain('will be erased on 2026-03-04, in 3 days.');
});

test('undoing a deletion tried again after a lost answer does nothing more; by another command it is refused', async () => {
  const { id: userId, email } = await make.user(own.db);
  const blobs = diskBlobs(testVariables['BLOB_DIR']!);
  const activities = accountDeletionActivities({ db: own.db, blobs, policy: policyFrom({}) });
  const now = new Date().toISOString();
  await activities.scheduleDeletion({ userId, at: now });
  const token = await firstRow<{ id: string }>(own.db, 'SELECT id FROM mailed_tokens WHERE user_id = $1', [
    userId,
  ]);
  const command = { userId, tokenId: token!.id, at: new Date().toISOString() };
  await activities.undoDeletion(command);
  await activities.undoDeletion(command);
  expect(await activities.dueDeletion({ userId })).toBeNull();
  expect(await mailsTo(own.db, email)).toHaveLength(2);
  const another = activities.undoDeletion({ ...command, at: new Date(Date.now() + 1_000).toISOString() });
  await expect(another).rejects.toMatchObject({ type: 'INVALID_TOKEN' });
});
