/** The document of the tests lays nothing out: every element is as large as this until it is called again. */
export function setElementSize(width: number, height: number): void {
  Object.defineProperties(HTMLElement.prototype, {
    clientWidth: { configurable: true, get: () => width },
    clientHeight: { configurable: true, get: () => height },
  });
}
