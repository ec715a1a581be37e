import { z } from 'zod';
import { signInAtProvider } from '../../../db/investment/provider/provider-sign-in.reads';
import { recordSignIn } from '../../../db/investment/provider/provider-sign-in.writes';
import { providerSecrets } from '../../../db/investment/provider/provider.reads';
import { keysOf } from '../../../db/sealing/keys-of';
import { refusal } from '../../../workflows/errors';
import { signInPage } from '../../../workflows/investment/provider-address.rules';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { strategyReference } from '../../http/request/ids/references';
import { providerToken } from './provider-token';
import { demo } from '../../http/request/ids/demo-ids';

export const ssoRedirect = endpoint({
  id: 'signInAtProvider',
  returns: 'Where to lead the browser',
  method: 'post',
  path: '/investment/strategies/:id/sso-redirect',
  summary: 'Sign in at the provider of a strategy',
  description:
    'Lead the browser to `redirectUrl`: it carries a token that signs this user in at the provider, for five minutes. ' +
    'A strategy that is paused or closed leads only those who take part in it.',
  tag: 'Investment',
  auth: 'user',
  limit: perMinute(10),
  // An answer stored for repeated requests would be a token in plain text.
  idempotent: false,

  params: z.object({ id: strategyReference(demo.strategy, 'ACTIVE') }),
  success: 200,
  data: z
    .object({
      redirectUrl: z.url().meta({
        description: 'The address at the provider, with a token that signs this user in there.',
        example: 'https://alpha.example/api/sso?token=eyJhbGciOiJIUzI1NiJ9.e30.x',
      }),
      expiresAt: z.iso.datetime().describe('When the token of the address ends.'),
    })
    .meta({ id: 'ProviderRedirect' }),
  errors: { STRATEGY_NOT_FOUND: 404, STRATEGY_NOT_ACTIVE: 400, PROVIDER_NOT_CONFIGURED: 503 },

  async handle({ params: { id } }, { caller, db, identity }) {
    const found = await signInAtProvider(db, { strategyId: id, userId: caller.id });
    if (!found) throw refusal('STRATEGY_NOT_FOUND');
    const { status, takesPart, isActive, ssoAudience } = found;
    if (status !== 'ACTIVE' && !takesPart) throw refusal('STRATEGY_NOT_ACTIVE');
    const at = new Date();
    const [key] = await providerSecrets(db, keysOf(db), found.providerCode, 'SSO', at);
    const redirect = signInPage(found);
    if (!isActive || redirect === null || ssoAudience === null || key === undefined)
      throw refusal('PROVIDER_NOT_CONFIGURED', 'The provider of this strategy takes no sign-ins.');
    const { token, expiresAt } = await providerToken(
      { ...found, userId: caller.id, audience: ssoAudience, issuer: identity.accessTokens.issuer },
      key,
      at,
    );
    await recordSignIn(db, { providerCode: found.providerCode, userId: caller.id, at });
    redirect.searchParams.set('token', token);
    return { redirectUrl: redirect.href, expiresAt: expiresAt.toISOString() };
  },
});
