import supertest from 'supertest';
import { adminReviewEndpoints } from '../../../../api/admin/reviews';
import { ownDatabase } from '../../../support/servers/database';
import { make } from '../../../support/builders/make';
import {
  catalogueProcesses,
  answeredWithinASecond,
  type CatalogueProcess,
} from '../../http/page-cache/catalogue-process';

const database = ownDatabase();
const open = catalogueProcesses(database);

const ask = (at: CatalogueProcess, path: string, as: string, body: object = {}) =>
  supertest(at.address).post(`/api/v1${path}`).set('authorization', `Bearer ${as}`).send(body);
/** The number of ratings on the product's page and in the list. */
const counts = async (at: CatalogueProcess, productId: string) => {
  const [page, list] = [await at.get(`/products/${productId}`), await at.get('/products')];
  const listed = (list.body.data.products as { id: string; rating: { count: number } }[]).find(
    ({ id }) => id === productId,
  );
  return [page.body.data.rating.count, listed!.rating.count];
};

test('the catalogue never shows ratings older than the last answer about a review', async () => {
  const shop = await open({ endpoints: adminReviewEndpoints });
  const other = await open();
  const { id: productId } = await make.product(database.db);
  const admin = `${(await make.admin(database.db)).id}:ADMIN`;
  expect(await counts(shop, productId)).toEqual([0, 0]);
  for (let n = 1; n <= 10; n++) {
    const { id: buyer } = await make.user(database.db);
    await make.purchase(database.db, { userId: buyer, productId });
    await other.get(`/products/${productId}`);
    const written = await ask(shop, `/products/${productId}/reviews`, buyer, {
      rating: 5,
      content: 'It does what it should.',
    });
    expect(written.status).toBe(201);
    expect(await counts(shop, productId)).toEqual([n, n]);
    const review = `/admin/reviews/${written.body.data.id}`;
    expect((await ask(shop, `${review}/reject`, admin)).status).toBe(200);
    expect(await counts(shop, productId)).toEqual([n - 1, n - 1]);
    expect((await ask(shop, `${review}/publish`, admin)).status).toBe(200);
    expect(await counts(shop, productId)).toEqual([n, n]);
    await answeredWithinASecond(
      async () => (await other.get(`/products/${productId}`)).body.data.rating.count,
      n,
    );
  }
});
