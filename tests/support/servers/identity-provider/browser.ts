/** The request that a provider makes a browser send us: of an address, or of a form by POST. */
export interface Returned {
  address: string;
  /** The fields of the form; null for a redirect. */
  form: Record<string, string> | null;
}

/** As much of a browser as the provider's plain pages need: cookies, redirects and forms. */
export class Browser {
  private readonly cookies = new Map<string, string>();

  constructor(private readonly home: string) {}

  async signIn(address: string, login: string): Promise<Returned> {
    const loginPage = await this.go(address);
    const consentPage = await this.go(loginPage.address, { prompt: 'login', login, password: 'any' });
    return this.go(consentPage.address, { prompt: 'consent' });
  }

  async decline(address: string): Promise<Returned> {
    const loginPage = await this.go(address);
    return this.go(`${loginPage.address}/abort`);
  }

  /** Sends a request and follows redirects within the provider; returns the page where that ends, or the first request to others. */
  private async go(address: string, form?: Record<string, string>): Promise<Returned> {
    let at = new URL(address, this.home).href;
    let fields = form;
    for (;;) {
      if (!at.startsWith(this.home)) return { address: at, form: null };
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
      if (next === null) return formOf(await answer.text(), this.home) ?? { address: at, form: null };
      at = new URL(next, at).href;
      fields = undefined;
    }
  }
}

/** The form of a page that its script posts to another site at once; null for any other page. */
function formOf(page: string, home: string): Returned | null {
  const [, action = ''] = /<form method="post" action="([^"]*)"/.exec(page) ?? [];
  const address = plainText(action);
  if (!URL.canParse(address) || address.startsWith(home)) return null;
  const inputs = page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
  return {
    address,
    form: Object.fromEntries([...inputs].map(([, name = '', value = '']) => [name, plainText(value)])),
  };
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

const plainText = (html: string): string =>
  html.replace(/&(#?\w+);/g, (entity, name: string) => ENTITIES[name] ?? entity);
