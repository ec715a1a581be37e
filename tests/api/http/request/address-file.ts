/** A value in MaxMind's binary format; numbers must be small. */
type Value = string | number | readonly Value[] | { readonly [key: string]: Value };

const head = (type: number, size: number): Buffer =>
  type < 8 ? Buffer.from([(type << 5) | size]) : Buffer.from([size, type - 7]);

function encoded(value: Value): Buffer {
  if (typeof value === 'string') {
    const bytes = Buffer.from(value);
    return Buffer.concat([head(2, bytes.length), bytes]);
  }
  if (typeof value === 'number') return Buffer.concat([head(5, 2), Buffer.from([value >> 8, value & 0xff])]);
  if (Array.isArray(value)) return Buffer.concat([head(11, value.length), ...value.map(encoded)]);
  const entries = Object.entries(value);
  return Buffer.concat([head(7, entries.length), ...entries.flat().map(encoded)]);
}

const uint24 = (value: number): Buffer => Buffer.from([value >> 16, (value >> 8) & 0xff, value & 0xff]);

/**
 * A file in MaxMind's format that says the same of every address from 0.0.0.0 to 127.255.255.255, and nothing of the
 * others. Texts in it have at most 28 bytes.
 */
export function addressFile(said: Value): Buffer {
  const nodeCount = 1;
  const separator = Buffer.alloc(16);
  const tree = Buffer.concat([uint24(nodeCount + separator.length), uint24(nodeCount)]);
  const about = {
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1,
    database_type: 'test',
    description: {},
    ip_version: 4,
    languages: ['en'],
    node_count: nodeCount,
    record_size: 24,
  };
  const marker = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
  return Buffer.concat([tree, separator, encoded(said), marker, encoded(about)]);
}
