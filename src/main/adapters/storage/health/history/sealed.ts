import { brotliCompressSync, brotliDecompressSync, constants, crc32 } from 'node:zlib';
import { SqlFailure } from '../../sqlite/sql.ts';
import type { Columns } from './columns.ts';

const formatVersion = 1;
/** Version, checksum of all that follows, number of compressed bytes. */
const headerBytes = 9;
/** Far above any block; a damaged one shall not exhaust the memory. */
const largestBytes = 512 * 1024 * 1024;
const quality = 5;

/** Columns compressed, with the version of what is inside and a checksum of what is stored. */
export function seal({ body, noise }: Columns): Uint8Array {
  const packed = brotliCompressSync(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  });
  const sealed = Buffer.alloc(headerBytes + packed.length + noise.length);
  sealed.writeUInt8(formatVersion, 0);
  sealed.writeUInt32BE(packed.length, 5);
  sealed.set(packed, headerBytes);
  sealed.set(noise, headerBytes + packed.length);
  sealed.writeUInt32BE(crc32(sealed.subarray(5)), 1);
  return sealed;
}

/** What `seal` was given; a `corrupt` failure for anything that is not what it made. */
export function unseal(sealed: Uint8Array): Columns {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  if (bytes.length < headerBytes) throw new SqlFailure('corrupt', 'a block of history is cut');
  if (bytes.readUInt8(0) !== formatVersion) {
    throw new SqlFailure('corrupt', 'a block of history is of an unknown kind');
  }
  if (crc32(bytes.subarray(5)) !== bytes.readUInt32BE(1)) {
    throw new SqlFailure('corrupt', 'a block of history is not what was written');
  }
  const end = headerBytes + bytes.readUInt32BE(5);
  return {
    body: brotliDecompressSync(bytes.subarray(headerBytes, end), { maxOutputLength: largestBytes }),
    noise: bytes.subarray(end),
  };
}
