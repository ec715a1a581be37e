/** Which addresses of providers may be called. */
export interface AllowedAddresses {
  /** True for development and tests: plain HTTP, every port, and hosts that are not public are allowed as well. */
  isPrivateAllowed: boolean;
  /** Ports of public hosts. */
  ports: readonly number[];
}

const HTTPS_PORT = 443;

/** The last labels of names that mean something only within one network (RFC 6761, 6762, 8375, and ICANN's internal). */
const INNER_NAMES = /(^|\.)(localhost|local|internal|home\.arpa)$/;
/** The form in which the URL parser writes every notation of an IPv4 address. */
const IPV4 = /^\d+\.\d+\.\d+\.\d+$/;

/**
 * The fault in the text of a provider's address, as the end of a sentence; null if it may be saved. The addresses that
 * its host has are checked when it is saved and at each connection.
 */
export function addressProblem(
  address: string,
  { isPrivateAllowed, ports }: AllowedAddresses,
): string | null {
  if (!URL.canParse(address)) return 'must be an https address';
  const url = new URL(address);
  if (url.protocol !== 'https:' && !(isPrivateAllowed && url.protocol === 'http:'))
    return 'must be an https address';
  if (url.username !== '' || url.password !== '') return 'must have no user name or password';
  // The parser drops an empty query or fragment, so the text is asked.
  if (/[?#]/.test(address)) return 'must have no query and no fragment';
  if (isPrivateAllowed) return null;
  if (!ports.includes(url.port === '' ? HTTPS_PORT : Number(url.port)))
    return `must have one of the ports ${ports.join(', ')}`;
  const host = url.hostname.replace(/\.$/, '');
  // Chosen: no public ones either. Certificates are made out to names, and an address is private in a hundred notations.
  if (host.startsWith('[') || IPV4.test(host)) return 'must name its host, not an IP address';
  if (!host.includes('.') || INNER_NAMES.test(host)) return 'must name a public host';
  return null;
}

/** The page of a provider that signs users in by a token: its own address for that, or `/sso` below its API; null: none. */
export function signInPage({
  ssoUrl,
  apiBase,
}: {
  ssoUrl: string | null;
  apiBase: string | null;
}): URL | null {
  if (ssoUrl !== null) return new URL(ssoUrl);
  return apiBase === null ? null : belowAddress(apiBase, 'sso');
}

/** The address of something below a provider's address, whose own path stays. */
export function belowAddress(apiBase: string, path: string): URL {
  const url = new URL(apiBase);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path}`;
  return url;
}
