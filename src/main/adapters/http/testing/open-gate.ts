import type { OutboundGate } from '../../../core/ports.ts';

/** Allows all requests, for tests and benchmarks of other things. */
export const openGate: OutboundGate = { refusal: () => null };
