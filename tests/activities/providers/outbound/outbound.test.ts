import { createServer, type Server } from 'node:https';
import { createServer as createPlain, type RequestListener, type Server as PlainServer } from 'node:http';
import { createServer as createSilent, type AddressInfo, type LookupFunction } from 'node:net';
import { AddressRefused } from '../../../../activities/providers/outbound/address';
import { outbound } from '../../../../activities/providers/outbound/outbound';
import { makeAuthority } from '../../../support/fakes/authority';

const authority = makeAuthority();
const message = { headers: { 'content-type': 'application/json' }, body: '{"a":"ü"}' };
const servers: (Server | PlainServer)[] = [];
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

async function listening<Any extends Server | PlainServer>(server: Any): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const secure = (listener: RequestListener): Promise<number> =>
  listening(createServer({ key: authority.key, cert: authority.cert }, listener));

/** A resolver that answers these addresses, one list for each query, the last one for ever. */
function resolving(...answers: string[][]): { lookup: LookupFunction; asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    lookup: (host, { all }, answer) => {
      asked.push(host);
      const found = answers.length > 1 ? answers.shift()! : answers[0]!;
      const addresses = found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      if (all) answer(null, addresses);
      else answer(null, addresses[0]!.address, addresses[0]!.family);
    },
  };
}

describe('addresses that are refused', () => {
  test.each([
    ['no URL', 'provider.example/kyc'],
    ['plain HTTP', 'http://provider.example/kyc'],
    ['another protocol', 'file:///etc/passwd'],
    ['another protocol with a host', 'ftp://provider.example/'],
    ['a user name', 'https://user@provider.example/'],
    ['a password', 'https://:secret@provider.example/'],
    ['a user name that looks like a host', 'https://provider.example@169.254.169.254/'],
    ['another port', 'https://provider.example:8443/'],
    ['the port of SSH', 'https://provider.example:22/'],
    ['loopback', 'https://127.0.0.1/'],
    ['loopback with a trailing dot', 'https://127.0.0.1./'],
    ['loopback, short', 'https://127.1/'],
    ['loopback, decimal', 'https://2130706433/'],
    ['loopback, hexadecimal', 'https://0x7f000001/'],
    ['loopback, octal', 'https://0177.0.0.1/'],
    ['loopback, mixed', 'https://0x7f.0.0.01/'],
    ['loopback, full-width digits', 'https://１２７.0.0.1/'],
    ['loopback, percent-encoded', 'https://%31%32%37.0.0.1/'],
    ['zero', 'https://0/'],
    ['the metadata service', 'https://169.254.169.254/latest/meta-data/'],
    ['localhost', 'https://localhost/'],
    ['localhost with a trailing dot', 'https://localhost./'],
    ['localhost in circled letters', 'https://ⓛocalhost/'],
    ['a name of one network', 'https://metadata.google.internal/'],
    ['IPv6 loopback', 'https://[::1]/'],
    ['IPv6, mapped', 'https://[::ffff:127.0.0.1]/'],
    ['IPv6, mapped in hexadecimal', 'https://[::ffff:a9fe:a9fe]/'],
    ['IPv6, NAT64', 'https://[64:ff9b::169.254.169.254]/'],
    ['IPv6, 6to4', 'https://[2002:7f00:1::]/'],
    ['IPv6, the metadata service', 'https://[fd00:ec2::254]/'],
  ])('%s', async (_, address) => {
    const { lookup, asked } = resolving(['127.0.0.1']);
    await expect(outbound({ lookup }).post(address, message)).rejects.toThrow(AddressRefused);
    expect(asked).toEqual([]);
  });

  test.each([
    ['loopback', 'https://provider.example/', ['127.0.0.1']],
    ['loopback, with a trailing dot', 'https://provider.example./', ['::1']],
    ['a private network, in letters outside ASCII', 'https://prövider.example/', ['10.0.0.1']],
    ['the metadata service', 'https://meta.provider.example/', ['169.254.169.254']],
    ['one private address among public ones', 'https://provider.example/', ['1.1.1.1', '10.0.0.1']],
    ['NAT64', 'https://provider.example/', ['64:ff9b::a00:1']],
    ['no address', 'https://provider.example/', []],
  ])('a name that leads to %s', async (_, address, found) => {
    const { lookup, asked } = resolving(found);
    await expect(outbound({ lookup }).post(address, message)).rejects.toThrow(AddressRefused);
    expect(asked).toHaveLength(1);
  });

  test('a name that meant a public host when it was entered, and means ours at the connection', async () => {
    let reached = 0;
    const port = await secure((_, response) => {
      reached++;
      response.end();
    });
    const { lookup, asked } = resolving(['1.1.1.1'], ['127.0.0.1']);
    lookup('provider.test', { all: true }, (_, found) =>
      expect(found).toEqual([{ address: '1.1.1.1', family: 4 }]),
    );
    const client = outbound({ lookup, ports: [port], ca: authority.ca });
    await expect(client.post(`https://provider.test:${port}/`, message)).rejects.toThrow(AddressRefused);
    expect([reached, asked.length]).toEqual([0, 2]);
  });
});

describe('calls', () => {
  const client = outbound({ isPrivateAllowed: true, ca: authority.ca, connectMs: 400, totalMs: 800 });

  test('deliver the bytes over HTTPS to a host whose certificate is trusted', async () => {
    const received: unknown[] = [];
    const port = await secure((request, response) => {
      void request.toArray().then((chunks) => {
        const body = Buffer.concat(chunks as Buffer[]).toString();
        received.push([request.method, request.url, request.headers['content-type'], body]);
        response.writeHead(429, { 'retry-after': '7' }).end('later');
      });
    });
    const { lookup } = resolving(['127.0.0.1']);
    const named = outbound({ isPrivateAllowed: true, ca: authority.ca, lookup });
    expect(await named.post(`https://provider.test:${port}/api/kyc`, message)).toEqual({
      status: 429,
      retryAfterSeconds: 7,
    });
    expect(received).toEqual([['POST', '/api/kyc', 'application/json', message.body]]);
    await expect(
      outbound({ isPrivateAllowed: true }).post(`https://127.0.0.1:${port}/`, message),
    ).rejects.toThrow('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
    await expect(
      outbound({ isPrivateAllowed: true, ca: authority.ca, lookup }).post(
        `https://other.test:${port}/`,
        message,
      ),
    ).rejects.toThrow('ERR_TLS_CERT_ALTNAME_INVALID');
    expect(received).toHaveLength(1);
  });

  test('answer a redirect to the metadata service, and do not follow it', async () => {
    const asked: (string | undefined)[] = [];
    const port = await secure((request, response) => {
      asked.push(request.url);
      response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end();
    });
    expect((await client.post(`https://127.0.0.1:${port}/kyc`, message)).status).toBe(302);
    expect(asked).toEqual(['/kyc']);
  });

  test('receive only the beginning of a body without end', async () => {
    let sent = 0;
    const closed = new Promise<void>((resolve) => {
      void secure((_, response) => {
        const chunk = Buffer.alloc(16 * 1024);
        const more = () => {
          while (!response.destroyed && response.write(chunk)) sent += chunk.length;
        };
        response.on('drain', more).on('close', resolve).writeHead(200);
        more();
      }).then((port) =>
        outbound({ isPrivateAllowed: true, ca: authority.ca }).post(`https://127.0.0.1:${port}/`, message),
      );
    });
    await closed;
    expect(sent).toBeLessThan(8 * 2 ** 20);
  });

  test('end in time at a host that accepts and says nothing, before TLS and after it', async () => {
    const silent = createSilent();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    await expect(client.post(`https://127.0.0.1:${port}/`, message)).rejects.toThrow(
      'No connection within 400 ms.',
    );
    silent.close();
    const dumb = await secure(() => undefined);
    await expect(client.post(`https://127.0.0.1:${dumb}/`, message)).rejects.toThrow(
      'No answer within 800 ms.',
    );
  });

  test('end when the host breaks off, answers no HTTP, or has endless headers', async () => {
    const broken = await secure(({ socket }) => void socket.destroy());
    await expect(client.post(`https://127.0.0.1:${broken}/`, message)).rejects.toThrow();
    const garbage = await secure(({ socket }) => void socket.end('nonsense\r\n\r\n'));
    await expect(client.post(`https://127.0.0.1:${garbage}/`, message)).rejects.toThrow(
      'HPE_INVALID_CONSTANT',
    );
    const headers = await secure((_, response) => {
      response.setHeader('x-long', 'x'.repeat(64 * 1024));
      response.end();
    });
    await expect(client.post(`https://127.0.0.1:${headers}/`, message)).rejects.toThrow(
      'HPE_HEADER_OVERFLOW',
    );
    const upgrading = await secure(({ socket }) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: other\r\n\r\n');
    });
    await expect(client.post(`https://127.0.0.1:${upgrading}/`, message)).rejects.toThrow();
  });

  test('use plain HTTP only where private hosts are allowed', async () => {
    const port = await listening(createPlain((_, response) => void response.writeHead(204).end()));
    expect(await client.post(`http://127.0.0.1:${port}/`, message)).toEqual({
      status: 204,
      retryAfterSeconds: null,
    });
    await expect(outbound().post(`http://127.0.0.1:${port}/`, message)).rejects.toThrow(AddressRefused);
  });
});
