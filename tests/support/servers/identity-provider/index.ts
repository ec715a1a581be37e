import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { freePort } from '../../../../local/machine/ports';

/** The provider's claims about people, by the name they sign in with there. */
export type People = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A real OpenID Connect provider (`oidc-provider`) in a process of its own. */
export interface IdentityProvider {
  issuer: string;
  /** For EXTERNAL_PROVIDERS. */
  settings: { issuer: string; clientId: string; clientSecret: string };
  /**
   * Goes through the provider's pages as a person called `login` would, from the address that we send browsers to;
   * answers the address that the provider sends them back to.
   */
  signIn: (address: string, login: string) => Promise<string>;
  /** Presses Cancel there. */
  decline: (address: string) => Promise<string>;
  stop: () => Promise<void>;
}

/** Starts one; `redirectUri` makes its address from the port of our API. */
export async function startIdentityProvider(redirectUri: string, people: People): Promise<IdentityProvider> {
  const port = await freePort();
  const child = spawn(
    process.execPath,
    [join(__dirname, 'main.cjs'), String(port), redirectUri, JSON.stringify(people)],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  await once(child.stdout, 'data');
  const issuer = `http://127.0.0.1:${port}`;
  return {
    issuer,
    settings: { issuer, clientId: 'marketplace', clientSecret: 'a-secret-of-the-client' },
    signIn: (address, login) => new Browser(issuer).signIn(address, login),
    decline: (address) => new Browser(issuer).decline(address),
    async stop() {
      child.kill();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

/** As much of a browser as the provider's plain pages need: cookies, redirects and forms. */
class Browser {
  private readonly cookies = new Map<string, string>();

  constructor(private readonly home: string) {}

  async signIn(address: string, login: string): Promise<string> {
    const loginPage = await this.go(address);
    const consentPage = await this.go(loginPage, { prompt: 'login', login, password: 'any' });
    return this.go(consentPage, { prompt: 'consent' });
  }

  async decline(address: string): Promise<string> {
    const loginPage = await this.go(address);
    return this.go(`${loginPage}/abort`);
  }

  /** Asks and follows redirects within the provider; answers the page where that ends, or the first address outside. */
  private async go(address: string, form?: Record<string, string>): Promise<string> {
    let at = new URL(address, this.home).href;
    let fields = form;
    for (;;) {
      if (!at.startsWith(this.home)) return at;
      const answer = await fetch(at, {
        redirect: 'manual',
        headers: { cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
        ...(fields && { method: 'POST', body: new URLSearchParams(fields) }),
      });
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        this.cookies.set(name, value);
      }
      const next = answer.headers.get('location');
      if (next === null) return at;
      at = new URL(next, at).href;
      fields = undefined;
    }
  }
}
