import { expect, it } from 'vitest';
import { lookUpTimeZone } from './environment.ts';

it('changes the variable that has Node look up the time zone, unless one was given', () => {
  const changes: string[] = [];
  const watched = (given: NodeJS.ProcessEnv) =>
    new Proxy(given, {
      set: (target, name, value: string) => {
        changes.push(`set ${String(name)}`);
        return Reflect.set(target, name, value);
      },
      deleteProperty: (target, name) => {
        changes.push(`delete ${String(name)}`);
        return Reflect.deleteProperty(target, name);
      },
    });
  const given = watched({ TZ: 'Europe/Berlin' });
  lookUpTimeZone(given);
  expect([given['TZ'], changes]).toEqual(['Europe/Berlin', []]);
  const none = watched({});
  lookUpTimeZone(none);
  expect([none['TZ'], changes]).toEqual([undefined, ['set TZ', 'delete TZ']]);
});
