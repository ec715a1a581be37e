import { v7 } from 'uuid';
import { accountDeletionActivities } from '../../../../activities/identity/account-deletion/account-deletion.activities';
import { markSent } from '../../../../db/administration/outbox/outbox.transitions';
import { enqueueMail } from '../../../../db/administration/outbox/outbox.writes';
import { diskBlobs } from '../../../../db/blobs/disk';
import { policyFrom } from '../../../../db/policy/config';
import { rows } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { ownDatabase } from '../../../support/servers/database';
import { make } from '../../../support/builders/make';
import { testVariables } from '../../../support/worlds/variables';

const own = ownDatabase();
const activities = () =>
  accountDeletionActivities({
    db: own.db,
    blobs: diskBlobs(testVariables['BLOB_DIR']!),
    policy: policyFrom({}),
  });

const DAY_MS = 24 * 60 * 60_000;
const before = (moment: string, ms: number): string => new Date(Date.parse(moment) - ms).toISOString();

test('an account whose erasure was postponed since it was read is kept', async () => {
  const { id: userId } = await make.user(own.db);
  const { scheduleDeletion, unscheduleDeletion, eraseAccount, dueDeletion } = activities();
  const { dueAt: first } = await scheduleDeletion({ userId, at: new Date().toISOString() });
  await unscheduleDeletion({ userId, at: new Date().toISOString() });
  const at = new Date(Date.now() + DAY_MS).toISOString();
  const { dueAt } = await scheduleDeletion({ userId, at });
  expect(await eraseAccount({ userId, at: first })).toBe('KEPT');
  expect(await eraseAccount({ userId, at: before(dueAt, 1) })).toBe('KEPT');
  expect(await dueDeletion({ userId })).toEqual({ dueAt });
  expect(await eraseAccount({ userId, at: dueAt })).toBe('ERASED');
});

test('erasing deletes sent messages, and leaves waiting ones and those of others', async () => {
  const [gone, other] = [await make.user(own.db), await make.user(own.db)];
  const write = async (to: string, status: 'SENT' | 'WAITING'): Promise<void> => {
    const reference = `${to} ${status}`;
    await inTransaction(own.db, (tx) =>
      enqueueMail(tx, { reference, to, subject: 'Hello', text: v7(), html: '' }),
    );
    if (status === 'SENT')
      for (const { id } of await rows<{ id: string }>(
        own.db,
        'SELECT id FROM outbox_messages WHERE reference = $1',
        [reference],
      ))
        await markSent(own.db, id);
  };
  for (const { email } of [gone, other])
    for (const status of ['SENT', 'WAITING'] as const) await write(email, status);
  const { dueAt } = await activities().scheduleDeletion({ userId: gone.id, at: new Date().toISOString() });
  expect(await activities().eraseAccount({ userId: gone.id, at: dueAt })).toBe('ERASED');
  const left = await rows<{ reference: string }>(
    own.db,
    `SELECT reference FROM outbox_messages WHERE reference LIKE '%@%' ORDER BY id`,
  );
  expect(left.map(({ reference }) => reference)).toEqual([
    `${gone.email} WAITING`,
    `${other.email} SENT`,
    `${other.email} WAITING`,
  ]);
});
