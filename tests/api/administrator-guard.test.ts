import { hash } from '@node-rs/argon2';
import { guardAdministrators } from '../../api/administrator-guard';
import { connect } from '../../db/sql/connection';
import { DemoAdministratorError } from '../../db/schema/seed/demo-administrators';
import { seedId } from '../../db/schema/seed/rows';
import { execute } from '../../db/sql/query';
import { ownDatabase } from '../support/servers/database';
import { eventually } from '../support/checks/eventually';
import { make } from '../support/builders/make';

const own = ownDatabase();
const warned: string[] = [];
const log = { warn: (_facts: object, message: string) => void warned.push(message) };
const never = (error: unknown): void => {
  throw error;
};
const guard = () => guardAdministrators(own.db, log, never);
const password = 'Staff-demo-1!';

/** An administrator as the seed of a development start leaves one. */
async function seeded(): Promise<string> {
  const { id } = await make.admin(own.db, { email: 'staff@example.com', password });
  const seedOwn = seedId('user:staff@example.com');
  await execute(own.db, 'UPDATE users SET id = $2 WHERE id = $1', [id, seedOwn]);
  return seedOwn;
}

test('an API of production does not start while there is an administrator with a demo password', async () => {
  await expect(guard()).resolves.toBeUndefined();
  await make.user(own.db, { password });
  await make.superAdmin(own.db);
  await expect(guard()).resolves.toBeUndefined();
  const id = await seeded();
  await expect(guard()).rejects.toThrow(DemoAdministratorError);
  await expect(guard()).rejects.toThrow('SEALING_KEYS=… npm run admins -- remove staff@example.com --admin');
  await execute(own.db, 'UPDATE users SET password_hash = $2 WHERE id = $1', [
    id,
    await hash('own-password-1'),
  ]);
  await expect(guard()).resolves.toBeUndefined();
  await execute(own.db, 'UPDATE users SET password_hash = NULL WHERE id = $1', [id]);
  await expect(guard()).resolves.toBeUndefined();
});

test('only accounts of the seed are verified, so the start costs the same however many administrators there are', async () => {
  await Promise.all(Array.from({ length: 40 }, () => make.admin(own.db, { password })));
  await execute(own.db, `DELETE FROM users WHERE email = 'staff@example.com'`);
  await expect(guard()).resolves.toBeUndefined();
});

test('a database that is not migrated, or away, is asked again until it answers', async () => {
  await seeded();
  await execute(own.owner, 'ALTER TABLE users RENAME TO users_later');
  const failures: unknown[] = [];
  await guardAdministrators(own.db, log, (error) => void failures.push(error), 20);
  expect(warned).toContain('administrators are not checked for demo passwords yet');
  expect(failures).toEqual([]);
  await execute(own.owner, 'ALTER TABLE users_later RENAME TO users');
  await eventually(() => expect(failures).toEqual([expect.any(DemoAdministratorError)]));
  const away = connect({ DATABASE_URL: 'postgres://nobody:none@127.0.0.1:1/none' }, 'test');
  await expect(guardAdministrators(away, log, never, 60_000)).resolves.toBeUndefined();
  await away.sequelize.close();
});
