import { isIP } from 'node:net';
import { parse } from 'ipaddr.js';

/** IPv6 has public hosts in this range only (RFC 4291, section 2.4, and IANA's registry of global unicast addresses). */
const GLOBAL_UNICAST = parse('2000::');
const GLOBAL_UNICAST_BITS = 3;
/** Addresses for examples (RFC 9637), which the library counts as unicast. */
const EXAMPLES = parse('3fff::');
const EXAMPLES_BITS = 20;

/**
 * True for an IP address that any host of the Internet may have. Not: loopback, private and link-local ones, those of
 * carriers, examples and multicast, and every IPv6 form that stands for an IPv4 address (mapped, 64:ff9b::/96, 6to4,
 * Teredo), since a gateway may lead it into a private network. What is no address is not public.
 */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0) return false;
  const address = parse(text);
  if (address.range() !== 'unicast') return false;
  if (address.kind() === 'ipv4') return true;
  return address.match(GLOBAL_UNICAST, GLOBAL_UNICAST_BITS) && !address.match(EXAMPLES, EXAMPLES_BITS);
}
