import { randomUUID } from 'node:crypto';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { cancellationSignal } from '@temporalio/activity';
import { forget } from '../../../../activities/administration/retention/forget';
import { storeBlob } from '../../../../db/blobs/discarded.writes';
import { diskBlobs } from '../../../../db/blobs/disk';
import { newBlobName, shelfOf } from '../../../../db/blobs/port';
import { policyFrom } from '../../../../db/policy/config';
import { recordTouch } from '../../../../db/partners/link/referral-touch.writes';
import { execute, firstRow } from '../../../../db/sql/query';
import { retention } from '../../../../workflows/administration/retention/retention.job';
import { make } from '../../../support/builders/make';
import { asActivity } from '../../../support/servers/run-activity';
import { doJob } from '../../../support/worlds/run-job';
import { ownWorld } from '../../../support/worlds/world';

const world = ownWorld({ queues: ['batch', 'long'] });

const count = async (table: string): Promise<number> =>
  (await firstRow<{ n: number }>(world.db, `SELECT count(*)::int AS n FROM ${table}`))?.n ?? -1;

it('forgets what is over its time, and nothing else', async () => {
  const [old, young] = [await make.user(world.db), await make.user(world.db)];
  for (const [user, age] of [
    [old, '90 days 1 minute'],
    [young, '90 days -1 minute'],
  ] as const) {
    await make.cart(world.db, user.id, []);
    await execute(world.db, `UPDATE carts SET updated_at = now() - $2::interval WHERE user_id = $1`, [
      user.id,
      age,
    ]);
  }
  for (const age of [`30 days 1 minute`, '30 days -1 minute'])
    await execute(
      world.db,
      `INSERT INTO sessions (id, user_id, ip_address, created_at, last_active_at, expires_at)
       VALUES ($1, $2, '::1', now() - interval '40 days', now() - interval '40 days', now() - $3::interval)`,
      [randomUUID(), old.id, age],
    );
  for (const age of ['25 hours', '23 hours'])
    await execute(
      world.db,
      `INSERT INTO idempotency_keys (owner, route, key, body_hash, state, claimed_at, created_at)
       VALUES ('x', 'POST /x', $1, 'h', 'OPEN', now(), now() - $2::interval)`,
      [randomUUID(), age],
    );

  for (const [transaction, age] of [
    [1, '61 minutes'],
    [2, '59 minutes'],
  ] as const)
    await execute(
      world.db,
      `INSERT INTO catalogue_changes (transaction_id, tags, changed_at) VALUES ($1, '{all}', now() - $2::interval)`,
      [transaction, age],
    );

  for (const age of ['25 hours', '23 hours']) {
    await execute(
      world.db,
      `INSERT INTO pending_registrations (user_id, region, email, password_hash, first_name, last_name,
           accepted_marketing, created_at)
       VALUES ($1, 'EU', 'x@example.com', 'h', 'Ada', 'Lovelace', false, now() - $2::interval)`,
      [randomUUID(), age],
    );
    await execute(
      world.db,
      `INSERT INTO password_reset_requests VALUES ($1, 'EU', 'x@example.com', now() - $2::interval)`,
      [randomUUID(), age],
    );
  }

  for (const age of ['30 days 1 minute', '30 days -1 minute'])
    await execute(
      world.db,
      `INSERT INTO job_runs (job, run, lane, state, started_at, updated_at)
       VALUES ('any', $1::text, 0, 'RUNNING', now() - interval '40 days', now() - $1::text::interval)`,
      [age],
    );

  const { referralCode: code } = await make.partner(world.db);
  for (const days of [31, 29])
    await recordTouch(
      world.db,
      {
        ...{
          linkId: null,
          link: null,
          code,
          utm: { source: null, medium: null, campaign: null },
          landingPage: '/',
        },
        ...{ ipAddress: '::1', userAgent: 'Browser', at: new Date(Date.now() - days * 86_400_000) },
      },
      30,
    );

  const begun = { status: 'DOCUMENTS_PENDING' as const, at: new Date(Date.now() - 91 * 86_400_000) };
  const unfinished = await make.verification(world.db, begun);

  const blobs = diskBlobs(world.blobDir);
  const [left, underWay] = [
    await storeBlob(world.db, blobs, Buffer.from('left')),
    await storeBlob(world.db, blobs, Buffer.from('under way')),
  ];
  for (const [name, age] of [
    [left, '61 minutes'],
    [underWay, '59 minutes'],
  ] as const)
    await execute(
      world.db,
      `UPDATE discarded_blobs SET discarded_at = now() - $2::interval WHERE name = $1`,
      [name, age],
    );
  const stray = newBlobName();
  await blobs.put(stray, Buffer.from('of no row'));
  const yesterday = new Date(Date.now() - 25 * 3_600_000);
  await utimes(join(world.blobDir, shelfOf(stray), stray), yesterday, yesterday);

  const deps = { longDb: world.db, blobs, policy: policyFrom({}) };
  const run = asActivity((at: Date) => forget(deps, at, cancellationSignal()));
  expect(await run(new Date())).toEqual({
    idempotencyKeys: 1,
    sessions: 1,
    carts: 1,
    catalogueChanges: 1,
    accountRequests: 2,
    touches: 1,
    linkClicks: 0,
    requestNotes: 0,
    signInCodes: 0,
    outboxMessages: 0,
    payoutDetails: 0,
    webhookBodies: 0,
    providerMovements: 0,
    sandboxRows: 0,
    jobRuns: 1,
    verifications: 1,
    blobs: 1,
    strayBlobs: 1,
  });
  expect([await count('carts'), await count('sessions'), await count('idempotency_keys')]).toEqual([1, 1, 1]);
  expect(
    await firstRow(world.db, 'SELECT status FROM kyc_verifications WHERE id = $1', [unfinished.id]),
  ).toEqual({ status: 'WITHDRAWN' });
  expect([await blobs.get(left), await count('discarded_blobs')]).toEqual([null, 1]);
  expect(await blobs.get(stray)).toBeNull();
  expect((await blobs.get(underWay))?.toString()).toBe('under way');
  expect([await count('pending_registrations'), await count('password_reset_requests')]).toEqual([1, 1]);
  expect([await count('referral_touches'), await count('referral_touches WHERE ip_address IS NULL')]).toEqual(
    [2, 1],
  );
  // The daily job finds nothing more.
  expect(await doJob(world.temporal, retention)).toEqual({
    done: 0,
    words: 'Deleted 0 idempotency keys, 0 sessions, 0 carts.',
  });
});
