import { z } from 'zod';
import { accountEmail } from '../../http/request/person-fields';
import { Role, TwoFactorMethodField, UserStatusField } from '../../users/account.view';

/** The tokens of a session, as login and refresh answer them. */
export const tokenFields = {
  accessToken: z.string().meta({
    description: 'JWT (ES256), sent as `Authorization: Bearer …`.',
    example: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiIwMTkzIn0.c2lnbmF0dXJl',
  }),
  refreshToken: z.string().meta({
    description: 'Opaque; good for one refresh, and for 7 days.',
    example: 'wq3mD0eVvE2n7pHh1yQm0Zc9oT4bS6uXk8rLJfAgNiY',
  }),
  expiresIn: z
    .int()
    .positive()
    .meta({ description: 'Lifetime of the access token in seconds.', example: 900 }),
  tokenType: z.literal('Bearer').describe('How the access token is sent: `Authorization: Bearer …`.'),
};

export const LoginResponse = z
  .object({
    ...tokenFields,
    requiresTwoFactor: z.literal(false).optional().meta({
      description: 'Left out: nothing else is needed. The answer that asks for a second factor has true.',
    }),
    user: z
      .object({
        id: z.uuid(),
        email: accountEmail(),
        status: UserStatusField.meta({ example: 'ACTIVE' }),
        profile: z
          .object({
            firstName: z.string().meta({ example: 'Ada' }),
            lastName: z.string().meta({ example: 'Lovelace' }),
            avatarUrl: z.string().nullable().meta({
              description: 'The URL of the avatar; null without one.',
              example: 'https://example.com/ada.webp',
            }),
          })
          .describe('Names and what else the user says about themselves.'),
        roles: z.array(Role).describe('Every role of the account.'),
        requiresTwoFactor: z
          .boolean()
          .meta({ description: 'True if signing in asks for a second factor.', example: false }),
      })
      .describe('The user who signed in.'),
  })
  .meta({ id: 'SignedIn', description: 'A session has begun; the tokens also travel in cookies.' });

export const TwoFactorRequiredResponse = z
  .object({
    requiresTwoFactor: z
      .literal(true)
      .describe('Always true: send `tempToken` and a code to complete the sign-in.'),
    tempToken: z.string().meta({
      description: 'Sent back with the code, within 5 minutes and 5 tries. It opens nothing by itself.',
      example: 'Yk1vT3bq0cZr8sWmH2eLxNfJ5uA7pGdQ9iKoR4tVyC6',
    }),
    methods: z.array(TwoFactorMethodField).meta({
      description: 'The second factors with which the sign-in can be completed.',
      example: ['TOTP'],
    }),
  })
  .meta({
    id: 'TwoFactorRequired',
    description:
      'The password is right; a code of the second factor is required, and was sent if the method needs that.',
  });

/** The request field of a refresh token. Any form is accepted; an unknown token is refused later. */
export const presentedRefreshToken = z
  .string()
  .min(1)
  .max(512)
  .meta({ example: tokenFields.refreshToken.meta()?.example });
