import { make } from '../../../support/builders/make';
import { ownStrategyWindow } from '../strategy-window';
import { emptyProviders } from '../../../support/builders/investing/no-providers';

const shop = ownStrategyWindow();

describe.each(['/categories', '/strategies/categories'])('GET /investment%s', (path) => {
  beforeEach(async () => {
    await emptyProviders(shop.owner, 'investment_categories');
  });

  test('200: the active categories by name, with what their strategies are like', async () => {
    const full = await make.strategyCategory(shop.db, {
      name: 'harbours',
      description: 'Of the sea.',
      imageUrl: 'https://images.example.com/sea.webp',
    });
    const empty = await make.strategyCategory(shop.db, { name: 'Forests' });
    await make.strategyCategory(shop.db, { isActive: false });
    const { id: categoryId } = full;
    await make.strategy(shop.db, {
      ...{ categoryId, riskLevel: 'HIGH', status: 'CLOSED' },
      returnBp: { min: -500, max: 2_050, expected: 900 },
    });
    await make.strategy(shop.db, { categoryId, riskLevel: 'MEDIUM' });
    const { status, body } = await shop.get(path);
    expect(status).toBe(200);
    expect(body.data).toEqual({
      categories: [
        {
          ...{ id: empty.id, name: 'Forests', slug: empty.slug, description: null, imageUrl: null },
          ...{ strategiesCount: 0, riskLevelRange: { min: 'LOW', max: 'HIGH' } },
          ...{ returnRange: { min: 0, max: 0 }, isActive: true },
        },
        {
          ...{ id: full.id, name: 'harbours', slug: full.slug, description: 'Of the sea.' },
          imageUrl: 'https://images.example.com/sea.webp',
          ...{ strategiesCount: 2, riskLevelRange: { min: 'MEDIUM', max: 'HIGH' } },
          ...{ returnRange: { min: -5, max: 20.5 }, isActive: true },
        },
      ],
    });
  });
});
