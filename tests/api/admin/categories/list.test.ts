import { z } from 'zod';
import { execute } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../admin-world';
import { AdminCategory } from './category.shape';

let adminWorld: AdminWorld;
const id: Record<string, string> = {};
beforeAll(async () => {
  adminWorld = await startAdminWorld();
  const { db } = adminWorld.world;
  const add = async (name: string, parent: string | null, position: number, isActive = true) => {
    const fields = { name, position, isActive, parentId: parent && (id[parent] ?? null) };
    id[name] = (await make.category(db, fields)).id;
  };
  await add('Kitchen', null, 1);
  await add('Audio', null, 0);
  await add('Hidden', 'Audio', 1, false);
  await add('Speakers', 'Audio', 0);
  await add('Below', 'Hidden', 0);
  const put = (name: string, status?: 'DRAFT' | 'ARCHIVED' | 'OUT_OF_STOCK') =>
    make.product(db, { categoryId: id[name] ?? null, ...(status && { status }) });
  await put('Audio');
  await put('Audio', 'DRAFT');
  await put('Below');
  await put('Below', 'OUT_OF_STOCK');
  const gone = await put('Below', 'ARCHIVED');
  await execute(db, 'UPDATE products SET deleted_at = now() WHERE id = $1', [gone.id]);
});
afterAll(() => adminWorld.world.teardown());

const List = z.strictObject({ categories: z.array(AdminCategory) });
async function listed(query = '') {
  const answer = await adminWorld.ask('get', `/admin/categories${query}`);
  expect(outcomeOf(answer)).toBe('200');
  return List.parse(answer.body.data).categories;
}
type Listed = Awaited<ReturnType<typeof listed>>[number];
const line = ({ name, level, isActive, productCount, ownProductCount }: Listed) =>
  `${level} ${name} ${isActive} ${productCount}/${ownProductCount}`;
const lines = [
  '0 Audio true 3/2',
  '1 Speakers true 0/0',
  '1 Hidden false 2/0',
  '2 Below true 2/2',
  '0 Kitchen true 0/0',
];

test('200: a tree with inactive categories, and the number of products in each', async () => {
  const tree = await listed();
  const walk = (nodes: readonly Listed[]): string[] =>
    nodes.flatMap((node) => [line(node), ...walk(node.children)]);
  expect(walk(tree)).toEqual(lines);
  expect(await listed('?view=tree')).toEqual(tree);
  expect(tree[1]).toEqual({
    id: id['Kitchen'],
    name: 'Kitchen',
    slug: expect.any(String),
    description: null,
    imageUrl: null,
    parentId: null,
    position: 1,
    isActive: true,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
    level: 0,
    productCount: 0,
    ownProductCount: 0,
    children: [],
  });
});

test('200: the same as one list, each followed by the categories below it', async () => {
  const list = await listed('?view=flat');
  expect(list.map(line)).toEqual(lines);
  expect(list.flatMap(({ children }) => children)).toEqual([]);
});

test('400 VALIDATION_ERROR for another view; for administrators only', async () => {
  const answer = await adminWorld.ask('get', '/admin/categories?view=cloud');
  expect([outcomeOf(answer), Object.keys(answer.body.error.details)]).toEqual([
    '400 VALIDATION_ERROR',
    ['view'],
  ]);
  expect(outcomeOf(await adminWorld.ask('get', '/admin/categories', undefined, null))).toBe(
    '401 UNAUTHORIZED',
  );
  expect(outcomeOf(await adminWorld.ask('get', '/admin/categories', undefined, adminWorld.tokens.user))).toBe(
    '403 FORBIDDEN',
  );
});
