import { execute, firstRow, rows } from '../../../db/sql/query';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();

beforeAll(() =>
  execute(
    own.owner,
    'CREATE TABLE things (id integer PRIMARY KEY, amount bigint, day date, words text[], facts jsonb)',
  ),
);
beforeEach(() => execute(own.owner, 'DELETE FROM things'));

test('says how many rows a statement touched, whatever kind it is', async () => {
  const insert = 'INSERT INTO things (id) SELECT * FROM generate_series(1, $1) ON CONFLICT DO NOTHING';
  expect(await execute(own.owner, insert, [3])).toBe(3);
  expect(await execute(own.owner, insert, [5])).toBe(2);
  expect(await execute(own.owner, insert, [5])).toBe(0);
  expect(
    await execute(own.owner, `WITH more AS (SELECT 6 AS id) INSERT INTO things (id) SELECT id FROM more`),
  ).toBe(1);
  expect(await execute(own.owner, 'UPDATE things SET amount = 1 WHERE id > $1', [4])).toBe(2);
  expect(await execute(own.owner, 'DELETE FROM things WHERE id > 100')).toBe(0);
  expect(await execute(own.owner, 'DELETE FROM things')).toBe(6);
});

test('values go and come back as they are, and never become part of the statement', async () => {
  const nasty = `'; DROP TABLE things; -- $1 :name ?`;
  const bind = [1, 2 ** 53 - 1, '2026-02-28', ['a', nasty], { [nasty]: [null, 1.5] }];
  expect(await execute(own.owner, 'INSERT INTO things VALUES ($1, $2, $3, $4, $5)', bind)).toBe(1);
  expect(await firstRow(own.owner, 'SELECT * FROM things')).toEqual({
    id: 1,
    amount: 2 ** 53 - 1,
    day: '2026-02-28',
    words: ['a', nasty],
    facts: { [nasty]: [null, 1.5] },
  });
});

test('no row is null, or an empty list', async () => {
  expect(await firstRow(own.owner, 'SELECT * FROM things')).toBeNull();
  expect(await rows(own.owner, 'SELECT * FROM things')).toEqual([]);
});
