import { readFileSync } from 'node:fs';
import { readStart, sizeOf } from './files.ts';

/**
 * SQLite ends reading a write-ahead log at the first frame that is not valid, because that is what a kill leaves, and
 * says nothing. This looks whether more than that happened: whether committed changes stand behind the place where
 * reading ends. Format: sqlite.org/fileformat2.html#the_write_ahead_log.
 */

const headerBytes = 32;
const frameHeaderBytes = 24;
const magicWithoutOrder = 0x377f0682;
const formatVersion = 3007000;

/** Longer logs, which only a very large transaction leaves, are judged by their header. */
const largestWalkBytes = 64 * 1024 * 1024;

/** True when changes that were committed cannot be read any more. Touches nothing; a missing log is not damaged. */
export function isJournalDamaged(path: string): boolean {
  const size = sizeOf(path);
  if (size < headerBytes) return false;
  const log = size <= largestWalkBytes ? readFileSync(path) : readStart(path, headerBytes);
  const header = readHeader(log);
  return header === null || hasCommitBehindBreak(log, header);
}

interface LogHeader {
  pageBytes: number;
  /** Checksums read words in the byte order of the machine that wrote them. */
  isBigEndian: boolean;
  /** Both salts; frames with others are left from before the log was started over. */
  salts: bigint;
  checksum: Checksum;
}

type Checksum = readonly [number, number];

function readHeader(log: Buffer): LogHeader | null {
  const magic = log.readUInt32BE(0);
  const isBigEndian = (magic & 1) === 1;
  if ((magic & ~1) !== magicWithoutOrder || log.readUInt32BE(4) !== formatVersion) return null;
  const checksum = extend([0, 0], log, 0, 24, isBigEndian);
  if (!isAt(log, 24, checksum)) return null;
  return { pageBytes: log.readUInt32BE(8), isBigEndian, salts: log.readBigUInt64BE(16), checksum };
}

function hasCommitBehindBreak(log: Buffer, header: LogHeader): boolean {
  const frameBytes = frameHeaderBytes + header.pageBytes;
  let checksum = header.checksum;
  let isBroken = false;
  for (let at = headerBytes; at + frameBytes <= log.length; at += frameBytes) {
    const isOfThisLog = log.readBigUInt64BE(at + 8) === header.salts;
    if (isBroken) {
      const pagesAfterCommit = log.readUInt32BE(at + 4);
      if (isOfThisLog && pagesAfterCommit !== 0) return true;
      continue;
    }
    checksum = extend(checksum, log, at, 8, header.isBigEndian);
    checksum = extend(checksum, log, at + frameHeaderBytes, header.pageBytes, header.isBigEndian);
    isBroken = !isOfThisLog || !isAt(log, at + 16, checksum);
  }
  return false;
}

function extend(start: Checksum, log: Buffer, at: number, bytes: number, isBigEndian: boolean): Checksum {
  let [first, second] = start;
  for (let offset = at; offset < at + bytes; offset += 8) {
    const even = isBigEndian ? log.readUInt32BE(offset) : log.readUInt32LE(offset);
    const odd = isBigEndian ? log.readUInt32BE(offset + 4) : log.readUInt32LE(offset + 4);
    first = (first + even + second) >>> 0;
    second = (second + odd + first) >>> 0;
  }
  return [first, second];
}

function isAt(log: Buffer, at: number, [first, second]: Checksum): boolean {
  return log.readUInt32BE(at) === first && log.readUInt32BE(at + 4) === second;
}
