import type { Request } from 'express';
import { isIP, isIPv6 } from 'node:net';

/** A text in a forwarded header is no address if it is longer than an IPv6 address with a zone and a port. */
const LONGEST_NODE = 80;

/**
 * The caller's address, taken from trusted proxies only. If a proxy forwarded something that is no address, it is the
 * address of the connection, so that a caller cannot choose the name under which its requests are counted.
 */
export const clientAddress = (req: Request): string =>
  addressIn(req.ip ?? '') ?? addressIn(req.socket.remoteAddress ?? '') ?? 'unknown';

/**
 * The address in a node of a forwarded header (RFC 7239, 6): without a port, brackets or a zone; an IPv4-mapped IPv6
 * address becomes IPv4. Null if the node is no address.
 */
export function addressIn(node: string): string | null {
  if (node.length > LONGEST_NODE) return null;
  const [, inBrackets, beforePort] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(node.trim()) ?? [];
  const address = (inBrackets ?? beforePort ?? node.trim())
    .replace(/%.*$/, '')
    .replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
  return isIP(address) === 0 ? null : address;
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
