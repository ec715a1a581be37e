import { z } from 'zod';
import { refusal } from '../../../workflows/errors';
import type { ExternalProviders } from '../../http/auth/external/providers';
import { text } from '../../http/request/fields';

export const ProviderParams = z.object({
  provider: text({ min: 1, max: 32 }).meta({
    description: 'The short name of the provider.',
    example: 'google',
  }),
});

/** The address that the browser is sent to, for clients that do not follow redirects. */
export const Redirect = z
  .object({
    location: z.url().meta({
      description: 'The address to go to, as in the header `Location`.',
      example: 'https://accounts.example/authorize?client_id=shop',
    }),
  })
  .meta({ id: 'Redirect' });

/** Refuses an unknown provider, and a known one that is not configured here. */
export function requireProvider(external: ExternalProviders, name: string): void {
  switch (external.statusOf(name)) {
    case 'configured':
      return;
    case 'not-configured':
      throw refusal('PROVIDER_NOT_CONFIGURED', `Signing in with ${name} is not available.`);
    case 'unknown':
      throw refusal('PROVIDER_NOT_FOUND');
  }
}

/** The refusal while a provider does not answer: the same request may succeed later. */
export function unavailable(name: string) {
  return refusal('SERVICE_UNAVAILABLE', `${name} does not answer right now. Try again in a moment.`);
}
