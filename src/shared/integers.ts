/** The integers of 64 bits with a sign: what the store keeps, Go's durations are, and a block number may be at most. */
export const largestInteger = 2n ** 63n - 1n;
export const smallestInteger = -(2n ** 63n);
