import { sendBatch } from '../../../../activities/administration/outbox/send-batch';
import { UndeliverableSms } from '../../../../activities/providers/sms/port';
import { execute } from '../../../../db/sql/query';
import { ownDatabase } from '../../../support/servers/database';
import { queueMail, queueSms, recordingMail, stored } from './outbox.world';

const own = ownDatabase();

beforeEach(() => execute(own.db, 'DELETE FROM outbox_messages'));

describe('a text message', () => {
  test('goes its own way, with its code, and is kept without it', async () => {
    const drivers = recordingMail();
    await queueSms(own.db, 'phone:1', { text: 'Your code: 123456', code: '123456' });
    await queueMail(own.db, 'mail:1');
    expect(await sendBatch(own.db, drivers)).toEqual(['sent', 'sent']);
    expect(drivers.texts).toEqual([
      { id: expect.any(String), to: '+4915112345678', text: 'Your code: 123456', code: '123456' },
    ]);
    expect(drivers.mails.map(({ to }) => to)).toEqual(['ada@example.com']);
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
    const drivers = recordingMail();
    await queueSms(own.db, 'forged', { to });
    expect(await sendBatch(own.db, drivers)).toEqual(['dead']);
    expect(drivers.texts).toEqual([]);
  });

  test('that no try will deliver is given up at once', async () => {
    const drivers = recordingMail();
    drivers.sms.send = () => Promise.reject(new UndeliverableSms('no such number'));
    await queueSms(own.db, 'nobody');
    expect(await sendBatch(own.db, drivers)).toEqual(['dead']);
    expect(await stored(own.db, 'nobody')).toMatchObject({ status: 'DEAD', lastError: 'no such number' });
  });
});
