import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A certificate authority of its own, and a certificate of localhost and 127.0.0.1 by it; all PEM. */
export interface Authority {
  ca: string;
  key: string;
  cert: string;
}

/** Makes both with the system's openssl, for some days. */
export function makeAuthority(): Authority {
  const folder = mkdtempSync(join(tmpdir(), 'authority-'));
  const path = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  try {
    openssl(
      ...['req', '-x509', ...key, '-days', '7', '-subj', '/CN=Authority of a test'],
      ...['-keyout', path('ca.key'), '-out', path('ca.pem')],
    );
    openssl(
      ...['req', ...key, '-subj', '/CN=localhost', '-keyout', path('key.pem'), '-out', path('request.pem')],
    );
    writeFileSync(path('names'), 'subjectAltName=DNS:localhost,DNS:provider.test,IP:127.0.0.1');
    openssl(
      ...['x509', '-req', '-in', path('request.pem'), '-CA', path('ca.pem'), '-CAkey', path('ca.key')],
      ...['-CAcreateserial', '-days', '7', '-extfile', path('names'), '-out', path('cert.pem')],
    );
    const read = (name: string) => readFileSync(path(name), 'utf8');
    return { ca: read('ca.pem'), key: read('key.pem'), cert: read('cert.pem') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
