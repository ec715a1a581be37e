import { PaymentsConfig, requireWholePayments } from '../../../../../api/payments/config';
import { paymentProviders } from '../../../../../activities/providers/payments';
import { ProvidersConfig } from '../../../../../activities/providers/config';
import { stripeSettings } from '../../../../../activities/providers/payments/stripe/settings';
import { ownDatabase } from '../../../../support/servers/database';
import { testVariables } from '../../../../support/worlds/variables';

const own = ownDatabase();
const configured = (variables: object) => ProvidersConfig.parse({ ...testVariables, ...variables });

test('without a key there is no Stripe, empty or unset', () => {
  expect(stripeSettings(configured({ STRIPE_SECRET_KEY: '' }))).toBeUndefined();
  const sandbox = { publicUrl: 'http://shop.test', secrets: ['whsec_c2VjcmV0'] as const };
  const stripe = stripeSettings(configured({}));
  expect([...paymentProviders({ sandbox, stripe }, own.db).keys()]).toEqual(['bank', 'sandbox']);
});

test('with a key there is Stripe in addition to the sandbox, and browsers go home unless configured', () => {
  const stripe = stripeSettings(
    configured({
      STRIPE_SECRET_KEY: 'rk_live_abc1',
      PUBLIC_URL: 'https://shop.test/',
      STRIPE_CANCEL_URL: '',
    }),
  );
  expect(stripe).toEqual({
    secretKey: 'rk_live_abc1',
    apiBase: undefined,
    successUrl: 'https://shop.test/api/docs/',
    cancelUrl: 'https://shop.test/api/docs/',
  });
  const sandbox = { publicUrl: 'http://shop.test', secrets: ['whsec_c2VjcmV0'] as const };
  expect([...paymentProviders({ sandbox, stripe }, own.db).keys()]).toEqual(['bank', 'sandbox', 'stripe']);
});

test('a start without a setting that Stripe requires names the missing one', () => {
  const stripe = { PAYMENT_PROVIDER: 'stripe' };
  expect(() => stripeSettings(configured(stripe))).toThrow('STRIPE_SECRET_KEY must be set');
  const api = (variables: object) => PaymentsConfig.parse({ ...testVariables, ...variables });
  expect(() => requireWholePayments(api(stripe))).toThrow('STRIPE_WEBHOOK_SECRETS must be set');
  expect(() => requireWholePayments(api({}))).not.toThrow();
  const whole = api({ ...stripe, STRIPE_WEBHOOK_SECRETS: 'whsec_a1, whsec_b2' });
  expect(() => requireWholePayments(whole)).not.toThrow();
  expect(whole.STRIPE_WEBHOOK_SECRETS).toEqual(['whsec_a1', 'whsec_b2']);
});

test.each([
  { STRIPE_SECRET_KEY: 'pk_live_1' },
  { STRIPE_SECRET_KEY: 'sk_live_ 1' },
  { STRIPE_API_BASE: 'ftp://stripe.test' },
  { STRIPE_SUCCESS_URL: 'shop' },
])('%j is refused', (variables) => {
  expect(() => configured(variables)).toThrow(Object.keys(variables)[0]);
});

test('a webhook secret that cannot be one is refused', () => {
  expect(() => PaymentsConfig.parse({ ...testVariables, STRIPE_WEBHOOK_SECRETS: 'sk_live_1' })).toThrow(
    'must be whsec_',
  );
});
