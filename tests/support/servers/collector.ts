import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** One received span, its attributes as a plain object. */
export interface Span {
  name: string;
  service: string;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  attributes: Record<string, unknown>;
}

/** Replaces an OpenTelemetry collector: receives OTLP as JSON over HTTP and keeps it. */
export interface Collector {
  readonly url: string;
  readonly spans: Span[];
  /** The bodies as they were received. */
  readonly received: string[];
  close: () => void;
}

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number; arrayValue?: { values: Attribute['value'][] } };
}

interface Exported {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: { spans: (Omit<Span, 'attributes' | 'service'> & { attributes: Attribute[] })[] }[];
  }[];
}

/** `silent`: it receives everything and never answers. */
export async function startCollector({ silent = false } = {}): Promise<Collector> {
  const spans: Span[] = [];
  const received: string[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    if (request.method !== 'POST' || request.url !== '/v1/traces')
      throw new Error(`${request.url} is no address of a collector`);
    received.push(body);
    spans.push(...spansIn(JSON.parse(body)));
    if (!silent) response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  };
  const server = createServer((request, response) => void take(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}`, spans, received, close };
}

const spansIn = ({ resourceSpans }: Exported): Span[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap((scope) =>
      scope.spans.map((span) => ({
        ...span,
        service: String(plain(resource.attributes)['service.name']),
        attributes: plain(span.attributes),
      })),
    ),
  );

const plain = (attributes: Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, valueOf(value)]));

const valueOf = ({ stringValue, intValue, arrayValue }: Attribute['value']): unknown =>
  stringValue ?? intValue ?? arrayValue?.values.map(valueOf);
