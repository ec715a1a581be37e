import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { freePort } from '../../../../local/machine/ports';
import { Browser, type Returned } from './browser';

/** The provider's claims about people, by the name they sign in with there. */
export type People = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The key from which our client signs its secrets, as the provider knows it; `publicKey` in PEM. */
export interface SecretKey {
  teamId: string;
  keyId: string;
  publicKey: string;
}

/** A real OpenID Connect provider (`oidc-provider`) in a process of its own. */
export interface IdentityProvider {
  issuer: string;
  /** For EXTERNAL_PROVIDERS. */
  settings: { issuer: string; clientId: string; clientSecret: string };
  /**
   * Goes through the provider's pages as a person called `login` would, from the address that we send browsers to;
   * returns the address that the provider sends them back to.
   */
  signIn: (address: string, login: string) => Promise<string>;
  /** The same where the provider's page posts a form to us. */
  signInByForm: (address: string, login: string) => Promise<Returned>;
  /** Presses Cancel there. */
  decline: (address: string) => Promise<string>;
  declineByForm: (address: string) => Promise<Returned>;
  stop: () => Promise<void>;
}

/** Starts one. It sends people back to the given addresses only; `signedBy`: secrets are signed from this key. */
export async function startIdentityProvider(
  redirectUris: string | readonly string[],
  people: People,
  signedBy?: SecretKey,
): Promise<IdentityProvider> {
  const port = await freePort();
  const settings = JSON.stringify({ redirectUris: [redirectUris].flat(), people, signedBy });
  const child = spawn(process.execPath, [join(__dirname, 'main.cjs'), String(port), settings], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(child.stdout, 'data');
  const issuer = `http://127.0.0.1:${port}`;
  const browser = () => new Browser(issuer);
  return {
    issuer,
    settings: { issuer, clientId: 'marketplace', clientSecret: 'a-secret-of-the-client' },
    signIn: async (address, login) => (await browser().signIn(address, login)).address,
    signInByForm: (address, login) => browser().signIn(address, login),
    decline: async (address) => (await browser().decline(address)).address,
    declineByForm: (address) => browser().decline(address),
    async stop() {
      child.kill();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}
