import { AuthConfig, requiresSecondFactor } from '../../../../api/http/auth/config';
import { testVariables } from '../../../support/worlds/variables';

const requires = (variables: Record<string, string>) =>
  requiresSecondFactor(AuthConfig.parse({ ...testVariables, ...variables }));

describe('ADMIN_SECOND_FACTOR', () => {
  test('is required in production and optional elsewhere, unless it is set', () => {
    expect(requires({ NODE_ENV: 'production' })).toBe(true);
    expect(requires({ NODE_ENV: 'development' })).toBe(false);
    expect(requires({ NODE_ENV: 'production', ADMIN_SECOND_FACTOR: 'optional' })).toBe(false);
    expect(requires({ NODE_ENV: 'development', ADMIN_SECOND_FACTOR: 'required' })).toBe(true);
  });

  test('is one of the two words', () => {
    expect(() => requires({ ADMIN_SECOND_FACTOR: 'yes' })).toThrow('ADMIN_SECOND_FACTOR');
  });
});
