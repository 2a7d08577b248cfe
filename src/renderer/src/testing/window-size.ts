/** The tests' document has no layout: gives every element this size until the next call. */
export function setElementSize(width: number, height: number): void {
  Object.defineProperties(HTMLElement.prototype, {
    clientWidth: { configurable: true, get: () => width },
    clientHeight: { configurable: true, get: () => height },
  });
}
