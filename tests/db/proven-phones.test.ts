import { down, up } from '../../db/schema/migrations/0034-proven-phones';
import { execute, rows } from '../../db/sql/query';
import { ownDatabase } from '../support/servers/database';
import { make } from '../support/builders/make';

const own = ownDatabase();

test('down: of those who name one number, who has proven it keeps it, else the oldest; up again works', async () => {
  const people: { id: string }[] = [];
  for (let n = 0; n < 5; n++) people.push(await make.user(own.db, { region: n === 4 ? 'US' : 'EU' }));
  const name = (n: number, phone: string, provenAt: string | null = null) =>
    execute(own.db, 'UPDATE users SET phone = $2, phone_verified_at = $3 WHERE id = $1', [
      people[n]!.id,
      phone,
      provenAt,
    ]);
  await name(0, '+4930901001');
  await name(1, '+4930901001', '2026-01-01');
  await name(2, '+4930901002');
  await name(3, '+4930901002');
  await name(4, '+4930901002');
  const query = own.owner.sequelize.getQueryInterface();
  await down(query);
  const phones = await rows<{ phone: string | null }>(
    own.db,
    'SELECT phone FROM users ORDER BY created_at, id',
  );
  expect(phones.map(({ phone }) => phone)).toEqual([null, '+4930901001', '+4930901002', null, '+4930901002']);
  await up(query);
  await name(3, '+4930901001');
});
