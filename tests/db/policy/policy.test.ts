import { PolicyVariables, policyFrom } from '../../../db/policy/config';

describe('policyFrom', () => {
  test('defaults are those of the decisions', () => {
    expect(policyFrom({})).toMatchObject({
      cardWindowMinutes: 30,
      transferWindowHours: 72,
      refundWindowDays: 14,
    });
  });

  test('a variable that is set wins, an empty one says nothing', () => {
    const policy = policyFrom({ POLICY_REFUND_WINDOW_DAYS: '30', POLICY_CART_DAYS: '' });
    expect(policy.refundWindowDays).toBe(30);
    expect(policy.cartDays).toBe(90);
  });

  test.each(['0', '-1', '1.5', 'soon', '999999999999'])('%s is refused, with the variable named', (value) => {
    for (const name of Object.keys(PolicyVariables.shape))
      expect(() => policyFrom({ [name]: value })).toThrow(name);
  });
});
