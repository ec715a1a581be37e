import { make } from '../../../support/builders/make';
import { picture } from '../../users/pictures';
import type { Arrange } from './arranged';

let goods = 0;
const someSku = (): string => `FAMILY-GOODS-${goods++}`;

const product: Arrange = async ({ world }) => ({ params: { id: (await make.product(world.db)).id } });
const image: Arrange = async ({ world }) => {
  const { id } = await make.product(world.db);
  return { params: { id, imageId: await make.image(world.db, id) } };
};
const variant: Arrange = async ({ world }) => {
  const { id } = await make.product(world.db);
  return { params: { id, variantId: (await make.variant(world.db, id)).id } };
};

/** Administration of goods. */
export const goodsArrangements: Readonly<Record<string, Arrange>> = {
  'POST /admin/products': () => ({ body: { sku: someSku(), categoryId: undefined, attributes: undefined } }),
  'GET /admin/products/:id': product,
  'PATCH /admin/products/:id': async (family, as) => ({
    ...(await product(family, as)),
    body: { sku: someSku(), categoryId: undefined, attributes: undefined },
  }),
  'DELETE /admin/products/:id': product,
  'GET /admin/products/:id/stock-movements': product,
  'POST /admin/products/import': () => {
    const file = Buffer.from(
      `sku,name,description,price,status,commissionPercentage,careerPointsPercentage\n${someSku()},A,B,1,DRAFT,0,0\n`,
    );
    return { sending: (request) => request.attach('file', file, 'products.csv') };
  },
  'POST /admin/products/:id/images': async (family, as) => {
    const file = await picture('png');
    return {
      ...(await product(family, as)),
      sending: (request) => request.attach('file', file, 'picture.png'),
    };
  },
  'PATCH /admin/products/:id/images/:imageId': image,
  'DELETE /admin/products/:id/images/:imageId': image,
  'POST /admin/products/:id/variants': async (family, as) => ({
    ...(await product(family, as)),
    body: { sku: someSku(), attributes: undefined },
  }),
  'PATCH /admin/products/:id/variants/:variantId': async (family, as) => ({
    ...(await variant(family, as)),
    body: { sku: someSku(), attributes: undefined },
  }),
  'DELETE /admin/products/:id/variants/:variantId': variant,
};
