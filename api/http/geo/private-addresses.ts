import { BlockList, isIPv6 } from 'node:net';

/** Networks whose addresses mean different machines in different places. */
const IPV4: readonly (readonly [network: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
];
const IPV6: typeof IPV4 = [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
];

const list = new BlockList();
for (const [network, bits] of IPV4) {
  list.addSubnet(network, bits, 'ipv4');
}
for (const [network, bits] of IPV6) {
  list.addSubnet(network, bits, 'ipv6');
}

/** True if an IP address is in one of them; an IPv4-mapped IPv6 address counts as IPv4. */
export const isPrivateAddress = (address: string): boolean =>
  list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
