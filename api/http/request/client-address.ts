import type { Request } from 'express';
import { isIPv6 } from 'node:net';

/** The caller's address as far as trusted proxies tell it; an IPv4 address written as IPv6 is written as IPv4 again. */
export function clientAddress(req: Request): string {
  const address = (req.ip ?? req.socket.remoteAddress ?? 'unknown').replace(/%.*$/, '');
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
}

/** What counts as one client: an IPv4 address, or the /64 that one IPv6 subscriber commands. */
export function clientNetwork(address: string): string {
  return isIPv6(address) ? `${firstGroups(address).join(':')}::/64` : address;
}

/** The four 16-bit groups in front, whatever was left out by `::`. */
function firstGroups(address: string): string[] {
  const [front = '', back] = address.toLowerCase().split('::');
  const head = front === '' ? [] : front.split(':');
  const tail = back === undefined || back === '' ? [] : back.split(':');
  const missing = back === undefined ? 0 : Math.max(0, 8 - head.length - groupCount(tail));
  const groups = [...head, ...Array<string>(missing).fill('0'), ...tail];
  return groups.slice(0, 4).map((group) => parseInt(group, 16).toString(16));
}

/** An IPv4 address at the end stands for two groups. */
const groupCount = (groups: string[]): number => groups.length + (groups.at(-1)?.includes('.') ? 1 : 0);
