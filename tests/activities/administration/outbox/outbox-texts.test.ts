import { sendBatch } from '../../../../activities/administration/outbox/send-batch';
import { UndeliverableSms } from '../../../../activities/providers/sms/port';
import { execute } from '../../../../db/sql/query';
import { ownDatabase } from '../../../support/servers/database';
import { owe, oweSms, recordingMail, stored } from './outbox.world';

const own = ownDatabase();

beforeEach(() => execute(own.db, 'DELETE FROM outbox_messages'));

describe('a text message', () => {
  test('goes its own way, with its code, and is kept without it', async () => {
    const ways = recordingMail();
    await oweSms(own.db, 'phone:1', { text: 'Your code: 123456', code: '123456' });
    await owe(own.db, 'mail:1');
    expect(await sendBatch(own.db, ways)).toEqual(['sent', 'sent']);
    expect(ways.texts).toEqual([
      { id: expect.any(String), to: '+4915112345678', text: 'Your code: 123456', code: '123456' },
    ]);
    expect(ways.given.map(({ to }) => to)).toEqual(['ada@example.com']);
    expect(await stored(own.db, 'phone:1')).toMatchObject({ status: 'SENT', sealed: false, plain: false });
  });

  test.each([
    '',
    '015112345678',
    '+4915112345678,+4915112345679',
    '+49 151 1',
    '+0123456789',
    'ada@example.com',
  ])('to %j never reaches the provider', async (to) => {
    const ways = recordingMail();
    await oweSms(own.db, 'forged', { to });
    expect(await sendBatch(own.db, ways)).toEqual(['dead']);
    expect(ways.texts).toEqual([]);
  });

  test('that no try will deliver is given up at once', async () => {
    const ways = recordingMail();
    ways.sms.send = () => Promise.reject(new UndeliverableSms('no such number'));
    await oweSms(own.db, 'nobody');
    expect(await sendBatch(own.db, ways)).toEqual(['dead']);
    expect(await stored(own.db, 'nobody')).toMatchObject({ status: 'DEAD', lastError: 'no such number' });
  });
});
