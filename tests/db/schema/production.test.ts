import { providersConfig } from '../../../activities/providers/config';
import { apiConfig } from '../../../api/config';
import { databaseConfig, seedConfig } from '../../../db/sql/config';
import { testVariables } from '../../support/worlds/variables';

const before = { ...process.env };
afterEach(() => {
  process.env = { ...before };
});

/** Reads a configuration with these variables and those of a production that sells through Stripe. */
function read(config: () => unknown, variables: Record<string, string | undefined>): string {
  const real = {
    ...before,
    ...testVariables,
    NODE_ENV: 'production',
    DATABASE_URL: 'postgres://a:b@db:5432/c',
    PAYMENT_PROVIDER: 'stripe',
    STRIPE_SECRET_KEY: 'sk_live_1',
    STRIPE_WEBHOOK_SECRETS: 'whsec_1',
    BANK_NAME: 'Own Bank',
    BANK_ACCOUNT_NUMBER: 'DE89 3704 0044 0532 0130 00',
    BANK_BIK: 'COBADEFF',
    MAIL_DIR: '/tmp',
  };
  const all: Record<string, string | undefined> = { ...real, ...variables };
  process.env = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  try {
    config();
    return 'accepted';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('production', () => {
  test.each([
    ['the API', apiConfig],
    ['a worker', providersConfig],
  ])('%s refuses the sandbox provider, named or by default, unless it is allowed', (_name, config) => {
    expect(read(config, {})).toBe('accepted');
    for (const PAYMENT_PROVIDER of ['sandbox', undefined]) {
      const sandbox = { PAYMENT_PROVIDER };
      expect(read(config, sandbox)).toContain('PAYMENT_PROVIDER is sandbox');
      expect(read(config, sandbox)).toContain('ALLOW_SANDBOX_PAYMENTS=true');
      for (const ALLOW_SANDBOX_PAYMENTS of ['false', ''])
        expect(read(config, { ...sandbox, ALLOW_SANDBOX_PAYMENTS })).toContain('PAYMENT_PROVIDER is sandbox');
      expect(read(config, { ...sandbox, ALLOW_SANDBOX_PAYMENTS: 'true' })).toBe('accepted');
      expect(read(config, { ...sandbox, NODE_ENV: 'development' })).toBe('accepted');
    }
  });

  test('a worker refuses each part of the demo’s bank account', () => {
    for (const name of ['BANK_NAME', 'BANK_ACCOUNT_NUMBER', 'BANK_BIK']) {
      expect(read(providersConfig, { [name]: undefined })).toMatch(new RegExp(`^${name}: the demo's bank`));
      expect(read(providersConfig, { [name]: undefined, ALLOW_SANDBOX_PAYMENTS: 'true' })).toBe('accepted');
      expect(read(providersConfig, { [name]: undefined, NODE_ENV: 'test' })).toBe('accepted');
    }
    expect(read(providersConfig, { BANK_NAME: undefined, BANK_BIK: 'DEMODEFF' })).toMatch(
      /^BANK_NAME, BANK_BIK: /,
    );
  });

  test.each([
    ['API and workers', databaseConfig],
    ['the seed', seedConfig],
  ])('%s: SEED_DEMO=true is refused by name', (_name, config) => {
    expect(read(config, { SEED_DEMO: 'true' })).toContain('SEED_DEMO');
    expect(read(config, { SEED_DEMO: 'true' })).toContain('production takes no demo data');
    for (const SEED_DEMO of ['false', '', undefined]) expect(read(config, { SEED_DEMO })).toBe('accepted');
    expect(read(config, { SEED_DEMO: 'true', NODE_ENV: 'development' })).toBe('accepted');
  });
});
