// Ids of nodes and chains in base 58, always with a checksum of four bytes. The lengths follow from those of the bytes.

const letter = '[1-9A-HJ-NP-Za-km-z]';

/** An id of 32 bytes: of a blockchain, subnet or block. */
export const idPattern = `${letter}{36,50}`;

/** An id of 20 bytes: of a node. */
export const nodeIdPattern = `NodeID-${letter}{24,33}`;

const id = new RegExp(`^${idPattern}$`);

/** Whether a text has the form of an id of 32 bytes; the checksum is not verified. */
export const isId = (text: string): boolean => id.test(text);
