/** Range of signed 64-bit integers: the limit of the store, of Go's durations and of block numbers. */
export const largestInteger = 2n ** 63n - 1n;
export const smallestInteger = -(2n ** 63n);
