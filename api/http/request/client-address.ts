import type { Request } from 'express';
import { isIPv6 } from 'node:net';

/** The caller's address, taken from trusted proxies only. An IPv4-mapped IPv6 address becomes IPv4. */
export function clientAddress(req: Request): string {
  const address = (req.ip ?? req.socket.remoteAddress ?? 'unknown').replace(/%.*$/, '');
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
}

/** The network that counts as one client: an IPv4 address, or the /64 of one IPv6 subscriber. */
export function clientNetwork(address: string): string {
  return isIPv6(address) ? `${firstGroups(address).join(':')}::/64` : address;
}

/** The first four 16-bit groups, with `::` expanded. */
function firstGroups(address: string): string[] {
  const [front = '', back] = address.toLowerCase().split('::');
  const head = front === '' ? [] : front.split(':');
  const tail = back === undefined || back === '' ? [] : back.split(':');
  const missing = back === undefined ? 0 : Math.max(0, 8 - head.length - groupCount(tail));
  const groups = [...head, ...Array<string>(missing).fill('0'), ...tail];
  return groups.slice(0, 4).map((group) => parseInt(group, 16).toString(16));
}

/** An IPv4 address at the end counts as two groups. */
const groupCount = (groups: string[]): number => groups.length + (groups.at(-1)?.includes('.') ? 1 : 0);
