/**
 * An OpenID Connect provider as a process of its own: `node main.cjs <port> <redirect uri> <people>`. `people` is JSON:
 * the provider's claims by the name that a person signs in with. It prints a line when it listens.
 */
const { default: Provider } = require('oidc-provider');

const [port, redirectUri, people] = process.argv.slice(2);
const known = JSON.parse(people);

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [
    { client_id: 'marketplace', client_secret: 'a-secret-of-the-client', redirect_uris: [redirectUri] },
  ],
  findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ sub, ...known[sub] }) }),
  claims: {
    openid: ['sub'],
    email: ['email', 'email_verified'],
    profile: ['name', 'given_name', 'family_name'],
  },
  cookies: { keys: ['of-the-test'] },
  pkce: { required: () => true },
});
provider.listen(Number(port), '127.0.0.1', () => console.log('listening'));
