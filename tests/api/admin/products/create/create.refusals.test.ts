import { randomUUID } from 'node:crypto';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../../admin-world';
import { refusalOf, productRequest } from '../product-requests';

let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld({ worker: false });
});
afterAll(() => adminWorld.world.teardown());

const create = (body: object, token?: string | null) =>
  adminWorld.ask('post', '/admin/products', body, token);

describe('400 VALIDATION_ERROR', () => {
  test.each<[string, unknown]>([
    ['name', undefined],
    ['name', '  '],
    ['description', undefined],
    ['price', undefined],
    ['price', -1],
    ['price', 1.005],
    ['price', 1e300],
    ['compareAtPrice', '30'],
    ['sku', ''],
    ['sku', 'x'.repeat(65)],
    ['categoryId', 'kitchen'],
    ['categoryId', randomUUID()],
    ['status', 'OUT_OF_STOCK'],
    ['status', undefined],
    ['stockQuantity', -1],
    ['stockQuantity', 1.5],
    ['stockQuantity', 10_000_000_000],
    ['trackInventory', 'yes'],
    ['weight', 0.0005],
    ['weight', 1e9],
    ['dimensions.height', { length: 1, width: 1 }],
    ['attributes', 'blue'],
    ['attributes', Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`a${i}`, 'x']))],
    ['tags.0', ['a,b']],
    ['tags', Array.from({ length: 51 }, (_, i) => `t${i}`)],
    ['commissionPercentage', 101],
    ['commissionPercentage', undefined],
    ['careerPointsPercentage', 0.001],
    ['name', 'NUL\u0000'],
  ])('%s: %p', async (field, value) => {
    const answer = await create({ ...productRequest(), [field.split('.')[0]!]: value });
    expect(refusalOf(answer)).toEqual({ status: 400, code: 'VALIDATION_ERROR', fields: [field] });
  });
});

test('401 UNAUTHORIZED and 403 FORBIDDEN', async () => {
  expect(outcomeOf(await create(productRequest(), null))).toBe('401 UNAUTHORIZED');
  expect(outcomeOf(await create(productRequest(), adminWorld.tokens.user))).toBe('403 FORBIDDEN');
});
