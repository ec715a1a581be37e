import { addressProblem, belowAddress } from '../../../workflows/investment/provider-address.rules';

const strict = { isPrivateAllowed: false, ports: [443, 8443] };
const loose = { isPrivateAllowed: true, ports: [443] };

test.each([
  'https://alpha.example/api',
  'https://alpha.example',
  'https://api.alpha.example:443/v1/partners/',
  'https://api.alpha.example:8443',
  'https://müller.example/api',
  'HTTPS://ALPHA.EXAMPLE./api',
])('%s may be saved', (address) => {
  expect(addressProblem(address, strict)).toBeNull();
});

test.each([
  ['', 'must be an https address'],
  ['alpha.example/api', 'must be an https address'],
  ['http://alpha.example/api', 'must be an https address'],
  ['ftp://alpha.example/api', 'must be an https address'],
  ['file:///etc/passwd', 'must be an https address'],
  ['javascript:alert(1)', 'must be an https address'],
  ['https://user@alpha.example/api', 'must have no user name or password'],
  ['https://:password@alpha.example/api', 'must have no user name or password'],
  ['https://alpha.example@127.0.0.1/api', 'must have no user name or password'],
  ['https://alpha.example/api?key=1', 'must have no query and no fragment'],
  ['https://alpha.example/api?', 'must have no query and no fragment'],
  ['https://alpha.example/api#part', 'must have no query and no fragment'],
  ['https://alpha.example:22/api', 'must have one of the ports 443, 8443'],
  ['https://alpha.example:80/api', 'must have one of the ports 443, 8443'],
  ['https://127.0.0.1/api', 'must name its host, not an IP address'],
  ['https://2130706433/api', 'must name its host, not an IP address'],
  ['https://0x7f.1/api', 'must name its host, not an IP address'],
  ['https://0177.0.0.1/api', 'must name its host, not an IP address'],
  ['https://127.1./api', 'must name its host, not an IP address'],
  ['https://１２７.０.０.１/api', 'must name its host, not an IP address'],
  ['https://169.254.169.254/latest/meta-data', 'must name its host, not an IP address'],
  ['https://[::1]/api', 'must name its host, not an IP address'],
  ['https://[::ffff:10.0.0.1]/api', 'must name its host, not an IP address'],
  ['https://[64:ff9b::a00:1]/api', 'must name its host, not an IP address'],
  ['https://localhost/api', 'must name a public host'],
  ['https://LOCALHOST./api', 'must name a public host'],
  ['https://db/api', 'must name a public host'],
  ['https://temporal.localhost/api', 'must name a public host'],
  ['https://printer.local/api', 'must name a public host'],
  ['https://metadata.google.internal/api', 'must name a public host'],
  ['https://nas.home.arpa/api', 'must name a public host'],
])('%s may not: %s', (address, problem) => {
  expect(addressProblem(address, strict)).toBe(problem);
});

test.each(['http://127.0.0.1:41234/api', 'https://localhost:8443', 'https://[::1]:9000/api'])(
  'where private hosts are allowed, %s may be saved',
  (address) => {
    expect(addressProblem(address, loose)).toBeNull();
  },
);

test.each(['ftp://127.0.0.1', 'http://user@127.0.0.1', 'http://127.0.0.1/?a=b', 'nonsense'])(
  'where private hosts are allowed, %s may still not',
  (address) => {
    expect(addressProblem(address, loose)).not.toBeNull();
  },
);

test.each([
  ['https://alpha.example', 'https://alpha.example/sso'],
  ['https://alpha.example/', 'https://alpha.example/sso'],
  ['https://alpha.example:8443/api/v1', 'https://alpha.example:8443/api/v1/sso'],
  ['https://alpha.example/api//', 'https://alpha.example/api/sso'],
])('below %s is %s', (base, address) => {
  expect(belowAddress(base, 'sso').href).toBe(address);
});
