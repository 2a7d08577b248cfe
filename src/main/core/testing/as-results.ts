import { AppFailure, err, ok, type Result } from '../../../shared/errors.ts';

export type AsResults<Service> = {
  [K in keyof Service]: K extends 'load' | 'stop'
    ? Service[K]
    : Service[K] extends (...args: infer Args) => Promise<infer Value>
      ? (...args: Args) => Promise<Result<Value extends void ? null : Value>>
      : Service[K];
};

/** Wraps a service so that its calls return results, as the window gets them through `register.ts`. */
export function asResults<Service extends object>(service: Service): AsResults<Service> {
  const proxy = new Proxy(service, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        const answer: unknown = Reflect.apply(member, target, args);
        if (!(answer instanceof Promise) || name === 'load' || name === 'stop') return answer;
        return answer.then(
          // As a call of the window has it.
          (value: unknown) => ok(value ?? null),
          (cause: unknown) =>
            err(
              cause instanceof AppFailure
                ? cause.error
                : { code: 'internal', message: String(cause), ref: 'ref' },
            ),
        );
      };
    },
  });
  // The proxy's methods return what the type says.
  return proxy as unknown as AsResults<Service>;
}
