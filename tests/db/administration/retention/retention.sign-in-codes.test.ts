import { policyFrom } from '../../../../db/policy/config';
import { forgetExpired } from '../../../../db/administration/retention/retention.transitions';
import { rows } from '../../../../db/sql/query';
import { ownDatabase } from '../../../support/servers/database';
import { make } from '../../../support/builders/make';
import { insert } from '../../../support/builders/make/insert';

const own = ownDatabase();

test('codes, half-done sign-ins and setups go a day after their time; a second factor in force stays', async () => {
  const at = new Date();
  const ago = (hours: number) => new Date(at.getTime() - hours * 3_600_000);
  for (const hours of [23, 25]) {
    const { id: user_id } = await make.user(own.db);
    await insert(own.db, 'sent_codes', {
      id: user_id,
      user_id,
      purpose: 'PHONE',
      channel: 'SMS',
      destination: `${hours} h`,
      code_sealed: Buffer.from('sealed'),
      created_at: ago(hours),
      expires_at: ago(hours),
    });
    await insert(own.db, 'login_challenges', {
      token_hash: `${hours} h`,
      user_id,
      created_at: ago(hours),
      expires_at: ago(hours),
    });
    await insert(own.db, 'second_factors', { user_id, method: 'SMS', created_at: ago(hours) });
  }
  const { id: user_id } = await make.user(own.db);
  await insert(own.db, 'second_factors', {
    user_id,
    method: 'EMAIL',
    created_at: ago(1000),
    enabled_at: ago(1000),
  });
  expect(await forgetExpired(own.db, at, policyFrom({}))).toMatchObject({ signInCodes: 3 });
  expect(await rows(own.db, 'SELECT destination FROM sent_codes')).toEqual([{ destination: '23 h' }]);
  expect(await rows(own.db, 'SELECT token_hash FROM login_challenges')).toEqual([{ tokenHash: '23 h' }]);
  expect(await rows(own.db, 'SELECT method FROM second_factors ORDER BY method')).toEqual([
    { method: 'EMAIL' },
    { method: 'SMS' },
  ]);
});
