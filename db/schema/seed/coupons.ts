import { addRows, isEmpty, seedId } from './rows';
import type { SeedStep } from './step';

const COUPONS = [
  {
    code: 'WELCOME10',
    type: 'PERCENTAGE',
    percentage_bp: 1_000,
    amount_minor: null,
    min_subtotal_minor: null,
  },
  { code: 'TAKE5', type: 'FIXED', percentage_bp: null, amount_minor: 5_00, min_subtotal_minor: 30_00 },
];

export const demoCoupons: SeedStep = {
  title: 'demo coupons',
  isMissing: (tx) => isEmpty(tx, 'coupons'),
  add: (tx, { at }) =>
    addRows(
      tx,
      'coupons',
      COUPONS.map((coupon) => ({
        ...coupon,
        id: seedId(`coupon:${coupon.code}`),
        per_user_limit: coupon.code === 'WELCOME10' ? 1 : null,
        used_count: 0,
        product_ids: [],
        category_ids: [],
        is_active: true,
        created_at: at,
        updated_at: at,
      })),
    ),
};
