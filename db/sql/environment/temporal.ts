import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ConfigurationError } from './variables';

/** A file in PEM, read at the start. */
const pemFile = z.string().transform((path, context): Buffer => {
  try {
    const file = readFileSync(path);
    if (file.includes('-----BEGIN ')) return file;
    context.addIssue({ code: 'custom', message: 'must name a file in PEM' });
  } catch {
    context.addIssue({ code: 'custom', message: 'must name a file that can be read' });
  }
  return z.NEVER;
});

/** The variables by which every program reaches Temporal: in the clear, by TLS or mTLS, with a key where one is issued. */
export const TemporalConfig = z.object({
  /** Temporal's frontend, host:port. */
  TEMPORAL_ADDRESS: z.string().min(1).default('127.0.0.1:7233'),
  TEMPORAL_NAMESPACE: z.string().min(1).default('default'),
  /** True: TLS, with the certificates that the machine trusts or those of TEMPORAL_TLS_CA. A key or certificate implies it. */
  TEMPORAL_TLS: z.stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive' }).optional(),
  /** The certificates by which the server is trusted, in place of the machine's. */
  TEMPORAL_TLS_CA: pemFile.optional(),
  /** The name in the server's certificate, where it is not that of the address. */
  TEMPORAL_TLS_SERVER_NAME: z.string().min(1).optional(),
  /** The certificate of this program and its key, which the server demands (mTLS). */
  TEMPORAL_TLS_CERT: pemFile.optional(),
  TEMPORAL_TLS_KEY: pemFile.optional(),
  /** A key that the server demands; sent only over TLS. */
  TEMPORAL_API_KEY: z.string().min(1).optional(),
});

type Variables = z.output<typeof TemporalConfig>;

/** The server as the SDK takes it, for clients and workers. */
export interface TemporalServer {
  address: string;
  tls?: {
    serverNameOverride?: string;
    serverRootCACertificate?: Buffer;
    clientCertPair?: { crt: Buffer; key: Buffer };
  };
  apiKey?: string;
}

const TLS_PARTS = [
  'TEMPORAL_TLS_CA',
  'TEMPORAL_TLS_SERVER_NAME',
  'TEMPORAL_TLS_CERT',
  'TEMPORAL_TLS_KEY',
  'TEMPORAL_API_KEY',
] as const;

/** The variables for a server that is reached by TLS. */
export const TLS_VARIABLES = ['TEMPORAL_TLS', ...TLS_PARTS] as const;

/** The server that the variables name. Throws ConfigurationError where they do not fit together. */
export function temporalServer(variables: Variables): TemporalServer {
  requireWhole(variables);
  const { TEMPORAL_TLS_CA: ca, TEMPORAL_TLS_SERVER_NAME: name, TEMPORAL_API_KEY: apiKey } = variables;
  const { TEMPORAL_TLS_CERT: crt, TEMPORAL_TLS_KEY: key } = variables;
  const hasTls = variables.TEMPORAL_TLS ?? TLS_PARTS.some((part) => variables[part] !== undefined);
  return {
    address: variables.TEMPORAL_ADDRESS,
    ...(hasTls && {
      tls: {
        ...(name !== undefined && { serverNameOverride: name }),
        ...(ca && { serverRootCACertificate: ca }),
        ...(crt && key && { clientCertPair: { crt, key } }),
      },
    }),
    ...(apiKey !== undefined && { apiKey }),
  };
}

function requireWhole(variables: Variables): void {
  const { TEMPORAL_TLS: tls, TEMPORAL_TLS_CERT: cert, TEMPORAL_TLS_KEY: key } = variables;
  if ((cert === undefined) !== (key === undefined))
    throw new ConfigurationError('TEMPORAL_TLS_CERT and TEMPORAL_TLS_KEY are required together.');
  const set = TLS_PARTS.filter((part) => variables[part] !== undefined);
  if (tls === false && set.length > 0)
    throw new ConfigurationError(`TEMPORAL_TLS must not be false with ${set.join(', ')}.`);
}
