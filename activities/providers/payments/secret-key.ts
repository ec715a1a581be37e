/** The key inside a Standard Webhooks secret: `whsec_` and base64. */
export const secretKey = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
