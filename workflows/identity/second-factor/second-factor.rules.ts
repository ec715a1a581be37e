/** The ways to prove a sign-in in addition to the password. */
export const TWO_FACTOR_METHODS = ['TOTP', 'SMS', 'EMAIL'] as const;

export type TwoFactorMethod = (typeof TWO_FACTOR_METHODS)[number];
