import { z } from 'zod';
import { refusal } from '../../../workflows/errors';
import type { ExternalProviders } from '../../http/auth/external/providers';
import { text } from '../../http/request/fields';

export const ProviderParams = z.object({ provider: text({ min: 1, max: 32 }).meta({ example: 'google' }) });

/** Where the browser goes, for whoever does not follow by themselves. */
export const Redirect = z
  .object({ location: z.url().meta({ example: 'https://accounts.example/authorize?client_id=…' }) })
  .meta({ id: 'Redirect' });

/** Refuses a provider that nobody knows, or that is known and not configured here. */
export function requireProvider(external: ExternalProviders, name: string): void {
  switch (external.standing(name)) {
    case 'configured':
      return;
    case 'not configured':
      throw refusal('PROVIDER_NOT_CONFIGURED', `Signing in through ${name} is not configured here.`);
    case 'unknown':
      throw refusal('PROVIDER_NOT_FOUND', 'There is no such provider.');
  }
}

/** A provider that is away is nobody's refusal: the same request may succeed later. */
export function away(name: string) {
  return refusal('SERVICE_UNAVAILABLE', `${name} does not answer right now. Try again in a moment.`);
}
