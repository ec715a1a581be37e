import { make } from '../../../../support/builders/make';
import { onePage } from '../../../../support/fakes/pdf-files';
import { picture } from '../../../users/pictures';
import type { Arrange } from '../arranged';

const strategy: Arrange = async ({ world }) => ({ params: { id: (await make.strategy(world.db)).id } });

/** Strategies, as visitors and administrators use them. */
export const strategyArrangements: Readonly<Record<string, Arrange>> = {
  'GET /investment/strategies/:id': strategy,
  'POST /admin/investment-categories': () => ({ body: { slug: undefined } }),
  'PATCH /admin/investment-categories/:id': async ({ world }) => ({
    params: { id: (await make.strategyCategory(world.db)).id },
    body: { slug: undefined },
  }),
  'POST /admin/strategies': async ({ world }) => ({
    body: {
      categoryId: (await make.strategyCategory(world.db)).id,
      providerCode: (await make.provider(world.db)).code,
      strategyCode: undefined,
    },
  }),
  'GET /admin/strategies/:id': strategy,
  'PATCH /admin/strategies/:id': async (family, as) => ({
    ...(await strategy(family, as)),
    body: { categoryId: undefined },
  }),
  'POST /admin/strategies/:id/image': async (family, as) => {
    const file = await picture('png');
    return {
      ...(await strategy(family, as)),
      sending: (request) => request.attach('file', file, 'picture.png'),
    };
  },
  'DELETE /admin/strategies/:id/image': async ({ world }) => {
    const { id } = await make.strategy(world.db, { imageUrl: 'https://images.example.com/a.webp' });
    return { params: { id } };
  },
  'POST /admin/strategies/:id/documents': async (family, as) => ({
    ...(await strategy(family, as)),
    sending: (request) =>
      request.field('type', 'TERMS').field('name', 'Terms').attach('file', onePage(), 'terms.pdf'),
  }),
  'DELETE /admin/strategies/:id/documents/:documentId': async ({ world }) => {
    const { id } = await make.strategy(world.db);
    return { params: { id, documentId: await make.strategyDocument(world.db, id) } };
  },
};
