import { AppFailure, err, ok, type Result } from '../../../../shared/errors.ts';

/** A service whose calls return results, as the window gets them. */
export type AsResults<S> = {
  [K in keyof S]: S[K] extends (...args: infer A) => Promise<infer R>
    ? (...args: A) => Promise<Result<R>>
    : S[K];
};

export function asResults<S extends object>(service: S): AsResults<S> {
  const settle = (value: Promise<unknown>) =>
    value.then(ok, (cause: unknown) => {
      if (cause instanceof AppFailure) return err(cause.error);
      throw cause;
    });
  return new Proxy(service, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        const value: unknown = Reflect.apply(member, target, args);
        return value instanceof Promise ? settle(value) : value;
      };
    },
    // The handler above gives its calls the types of `AsResults`.
  }) as unknown as AsResults<S>;
}
