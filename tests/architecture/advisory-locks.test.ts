import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(__dirname, '../../db');

/** Every constant in db/ that names an advisory lock, with its number. */
const locks = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .flatMap((path) => [...readFileSync(join(folder, path), 'utf8').matchAll(/const (\w+_LOCK) = ([\d_]+);/g)])
  .map(([, name, number]) => ({ name, number: Number(number!.replaceAll('_', '')) }));

test('no two advisory locks have the same number', () => {
  expect(locks.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['CHAIN_LOCK', 'MIGRATION_LOCK', 'SEED_LOCK']),
  );
  const shared = locks.filter(({ number }) => locks.filter((lock) => lock.number === number).length > 1);
  expect(shared).toEqual([]);
});
