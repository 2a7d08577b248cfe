import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** A message's id for others: the same for the same message, and without what it is made of, such as an address. */
export const opaqueId = (id: string): string => bytesToHex(sha256(utf8ToBytes(id)));
