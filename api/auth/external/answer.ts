import { z } from 'zod';

const text = (description: string, example: string) =>
  z.string().max(4_000).optional().meta({ description, example });

/** The answer of a provider, which the browser brings in the query or in a form. */
export const Answer = z.object({
  state: text('The state of the sign-in, from the provider.', 'kb1CNr2TTkTtLJzUvXJjHmWEuOzVDzBQ'),
  code: text('The code of the sign-in, from the provider.', 'SplxlOBeZQQYbYS6WxSbIA'),
  iss: text('The issuer, from the provider.', 'https://accounts.example'),
  error: text('The reason why the provider signed nobody in.', 'access_denied'),
  error_description: text("The provider's words about the error.", 'The person declined.'),
});

/** The same as a form. */
export const PostedAnswer = Answer.extend({
  user: text(
    'The names of a person, as JSON, for a new account. Apple sends it once, with their first sign-in.',
    '{"name":{"firstName":"Ada","lastName":"Lovelace"}}',
  ),
});

export type ProviderAnswer = z.output<typeof PostedAnswer>;
