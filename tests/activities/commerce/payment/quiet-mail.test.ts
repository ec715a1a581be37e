import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Client } from 'pg';
import { v7 } from 'uuid';
import { OUTBOX_CHANNEL } from '../../../../db/administration/outbox/outbox-channel';
import { enqueueMail } from '../../../../db/administration/outbox/outbox.writes';
import { rows } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { given } from '../../../support/builders/given';
import { ownDatabase } from '../../../support/servers/database';

const own = ownDatabase();

/** The announcements that were committed while `work` ran; the last one is of a mail that announces itself. */
async function announcementsOf(work: () => Promise<unknown>): Promise<number> {
  const client = new Client({ connectionString: own.url });
  await client.connect();
  let announcements = 0;
  client.on('notification', () => announcements++);
  try {
    await client.query(`LISTEN ${OUTBOX_CHANNEL}`);
    await work();
    const loud = {
      reference: v7(),
      to: 'ada@shop.test',
      subject: 'Hello',
      text: 'Hello',
      html: '<p>Hello</p>',
    };
    await inTransaction(own.db, (tx) => enqueueMail(tx, loud));
    // Announcements come in the order of their commits, before the answer of a later statement.
    await client.query('SELECT 1');
    return announcements;
  } finally {
    await client.end();
  }
}

const mails = (): Promise<{ reference: string }[]> =>
  rows(own.db, `SELECT reference FROM outbox_messages WHERE reference LIKE 'order:%' AND status = 'WAITING'`);

test('an order that is placed and paid queues its mail, and does not announce it', async () => {
  const before = await mails();
  expect(
    await announcementsOf(async () => {
      await given(own.db).order().paid();
    }),
  ).toBe(1);
  const endings = (await mails()).slice(before.length).map(({ reference }) => reference.split(':')[2]);
  expect(endings).toEqual(['paid']);
});

test('no step that moves money or stock queues a mail that announces itself', () => {
  const root = resolve(__dirname, '../../../..');
  const steps = ['commerce', 'ledger', 'investment', 'partners']
    .map((area) => `activities/${area}`)
    .concat('api')
    .flatMap((folder) =>
      readdirSync(resolve(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.ts'))
        .map((path) => `${folder}/${path}`),
    )
    // Commands on accounts move neither.
    .filter((path) => !/^api\/(auth|users|admin\/users)\//.test(path));
  expect(steps.filter((path) => path.startsWith('activities/')).length).toBeGreaterThan(100);
  expect(steps).toContain('api/admin/commissions/adjust.command.ts');
  const loud = steps.filter((path) =>
    /\benqueue(Mail|Sms)\b/.test(readFileSync(resolve(root, path), 'utf8')),
  );
  expect(loud).toEqual([]);
});
