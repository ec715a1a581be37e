import { isPublicAddress } from '../../../db/investment/provider/public-address';

test.each(['93.184.216.34', '8.8.8.8', '1.1.1.1', '2606:4700:4700::1111', '2a00:1450:4001:82a::200e'])(
  '%s is public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

test.each([
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '192.0.2.1',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:10.0.0.1',
  '::ffff:8.8.8.8',
  '64:ff9b::a00:1',
  '64:ff9b::808:808',
  '2002:a00:1::',
  '2001:0:4136:e378::',
  '2001:db8::1',
  '3fff::1',
  'fc00::1',
  'fe80::1%eth0',
  'ff02::1',
  'fec0::1',
  'fd00:ec2::254',
  '4000::1',
  '5f00::1',
  '::7f00:1',
  '64:ff9b:1::7f00:1',
  '1.2.3',
  'alpha.example',
  '',
])('%s is not', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});
