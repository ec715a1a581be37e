import { createHash } from 'node:crypto';
import { v7 } from 'uuid';
import { forgetExpired } from '../../../db/administration/retention/retention.transitions';
import { eraseReportsOn } from '../../../db/administration/webhook/webhook-erasure.transitions';
import { storeWebhookEvent } from '../../../db/administration/webhook/webhook-event.writes';
import { policyFrom } from '../../../db/policy/config';
import { execute, firstRow, rows } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { make } from '../../support/builders/make';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

interface Kept {
  status?: 'RECEIVED' | 'PROCESSED' | 'WAITING' | 'IGNORED' | 'DEAD' | 'DISCARDED';
  /** Since it was dealt with. */
  days?: number;
  reconciled?: boolean;
  body?: string;
}

/** A report of an investment provider. */
async function kept({ status = 'DEAD', days = 1, reconciled = true, body = '{}' }: Kept): Promise<string> {
  const { id } = await storeWebhookEvent(own.db, {
    ...{
      id: v7(),
      kind: 'INVESTMENT',
      provider: 'alpha',
      externalEventId: v7(),
      type: 'x',
      body,
      known: true,
    },
    ...{ bodyHash: createHash('sha256').update(body).digest('hex'), at: daysAgo(days) },
  });
  await execute(
    own.db,
    'UPDATE webhook_events SET status = $2, processed_at = $3, reconciled_at = $4 WHERE id = $1',
    [...[id, status, daysAgo(days), reconciled ? daysAgo(days) : null]],
  );
  return id;
}

const forget = () => forgetExpired(own.db, new Date(), policyFrom({}));
const hasText = async (id: string) =>
  (await firstRow(own.db, 'SELECT 1 FROM webhook_events WHERE id = $1 AND body IS NOT NULL', [id])) !== null;
const withText = async (ids: readonly string[]) => Promise.all(ids.map(hasText));

test('texts of DEAD reports are deleted after ninety days', async () => {
  const ids = [await kept({ days: 91 }), await kept({ days: 89 })];
  await forget();
  expect(await withText(ids)).toEqual([false, true]);
});

test('texts of discarded reports are deleted after thirty days, and those about erased users at once', async () => {
  const erased = await kept({ status: 'DISCARDED' });
  await execute(own.db, 'UPDATE webhook_events SET is_about_erased = true WHERE id = $1', [erased]);
  const ids = [
    await kept({ status: 'DISCARDED', days: 31 }),
    await kept({ status: 'DISCARDED', days: 29 }),
    erased,
  ];
  await forget();
  expect(await withText(ids)).toEqual([false, true, false]);
});

test('no text is deleted that the reconciliation has not read', async () => {
  const ids = [
    await kept({ days: 91, reconciled: false }),
    await kept({ status: 'PROCESSED', days: 31, reconciled: false }),
    await kept({ status: 'PROCESSED', days: 31 }),
  ];
  await forget();
  expect(await withText(ids)).toEqual([true, true, false]);
});

test('an ignored report that comes again as a known one is read again by the reconciliation', async () => {
  const report = {
    kind: 'INVESTMENT' as const,
    provider: 'alpha',
    externalEventId: v7(),
    type: 'x',
    bodyHash: 'h',
  };
  const first = { ...report, id: v7(), body: '{}', known: false, at: new Date() };
  const { id } = await storeWebhookEvent(own.db, first);
  await execute(own.db, 'UPDATE webhook_events SET reconciled_at = now() WHERE id = $1', [id]);
  await storeWebhookEvent(own.db, { ...first, known: true });
  expect(
    await firstRow(own.db, 'SELECT status, reconciled_at FROM webhook_events WHERE id = $1', [id]),
  ).toEqual({
    ...{ status: 'RECEIVED', reconciledAt: null },
  });
});

test('texts on an account that is erased are deleted, however their JSON is written; open ones when they are dealt with', async () => {
  const user = await make.user(own.db);
  const other = await make.user(own.db);
  const of = (data: object) => JSON.stringify({ data });
  const escaped = of({ email: user.email.toUpperCase() }).replace('@', '\\u0040');
  expect(escaped).toContain('\\u0040');
  const deleted = [
    await kept({ body: of({ userId: user.id }) }),
    await kept({ body: of({ userId: user.id.toUpperCase() }), status: 'PROCESSED' }),
    await kept({ body: escaped }),
  ];
  const stay = [
    await kept({ body: of({ userId: other.id, email: other.email }) }),
    await kept({ body: of({ externalId: user.id }) }),
    await kept({ body: of({ userId: `x${user.id}` }) }),
    await kept({ body: '{"data":{"userId":"\\u0000"}}' }),
  ];
  const waits = await kept({ body: of({ userId: user.id }), status: 'WAITING' });
  const unread = await kept({ body: escaped, reconciled: false });
  await inTransaction(own.db, (tx) => eraseReportsOn(tx, user.id));
  expect(await withText(deleted)).toEqual([false, false, false]);
  expect(await withText(stay)).toEqual([true, true, true, true]);
  await forget();
  expect(await withText([waits, unread])).toEqual([true, true]);
  await execute(
    own.db,
    `UPDATE webhook_events SET status = 'DEAD', reconciled_at = now() WHERE id = ANY ($1)`,
    [[waits, unread]],
  );
  await forget();
  expect(await withText([waits, unread])).toEqual([false, false]);
  expect(await withText(stay)).toEqual([true, true, true, true]);
});

test('the erasure finds its reports by indexes, however many there are', async () => {
  await execute(
    own.owner,
    `INSERT INTO webhook_events (id, kind, provider, external_event_id, type, body, body_hash, status, received_at)
     SELECT gen_random_uuid(), 'INVESTMENT', 'alpha', 'many ' || n, 'x',
       format('{"data":{"userId":"u%s","email":"e%s"}}', n, n), '', 'DEAD', now() FROM generate_series(1, 5000) AS n`,
  );
  await execute(own.owner, 'ANALYZE webhook_events');
  const plan = await rows<Record<string, string>>(
    own.db,
    `EXPLAIN SELECT 1 FROM webhook_events WHERE kind = 'INVESTMENT' AND body IS NOT NULL
       AND (reported_field(body, 'userId') = 'a' OR reported_field(body, 'email') = 'b')`,
  );
  const text = plan.map((line) => Object.values(line)[0]).join('\n');
  expect(text).toContain('webhook_events_user_idx');
  expect(text).toContain('webhook_events_email_idx');
});
