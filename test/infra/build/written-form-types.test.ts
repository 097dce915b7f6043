import { describe, expect, it } from 'vitest';
import { types } from '../../../functions/core/written-form/types.ts';
import { kubevirtDeclarations, readDeclarations } from '../../../infra/build/openapi-declarations.ts';
import { writtenFormTypes } from '../../../infra/build/written-form-types.ts';

describe('the table of types', () => {
  it('is the one that the declarations and facts make (else run infra/build/generate-written-form.ts)', () => {
    expect(writtenFormTypes(kubevirtDeclarations())).toEqual(types);
  });

  it('is small enough for a function bundle', () => {
    expect(JSON.stringify(types).length).toBeLessThan(60_000);
  });

  it('refuses facts about members that are not declared', () => {
    expect(() => writtenFormTypes(new Map())).toThrow('facts about unknown members');
  });
});

it('declarations are read with their comments', () => {
  const text = `interface A {
    /**
     * Quantity is a fixed-point representation of a number.
     */
    size?: string;
    /**
     *
     */
    labels: {
        [key: string]: string;
    };
}
`;
  expect(readDeclarations(text)).toEqual(
    new Map([
      [
        'A',
        [
          { name: 'size', optional: true, type: 'string', holds: 'quantity' },
          { name: 'labels', optional: false, type: '{ [key: string]: string; }' },
        ],
      ],
    ]),
  );
});
