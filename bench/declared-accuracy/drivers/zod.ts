// SPDX-License-Identifier: Apache-2.0
// TypeScript compiled to ECMAScript modules, barrels, constructors made by functions.
import * as z from 'zod'

export async function drive(): Promise<void> {
  const person = z.object({
    name: z
      .string()
      .min(1)
      .max(20)
      .regex(/^[a-z]/)
      .trim(),
    age: z.number().int().min(0).max(150).optional(),
    tags: z
      .array(z.enum(['a', 'b']))
      .min(1)
      .default(['a']),
    mail: z.email().nullable(),
    link: z.url().nullish(),
    id: z.uuid().optional(),
    when: z.coerce.date().optional(),
    either: z.union([z.string(), z.number()]),
    kind: z.discriminatedUnion('type', [
      z.object({ type: z.literal('x') }),
      z.strictObject({ type: z.literal('y'), n: z.bigint() }),
    ]),
    pair: z.tuple([z.string(), z.number()]).rest(z.boolean()),
    map: z.map(z.string(), z.number()),
    set: z.set(z.string()),
    record: z.record(z.string(), z.unknown()),
    more: z.lazy(() => z.any()).optional(),
  })
  const good = {
    name: 'ann',
    age: 3,
    mail: 'a@example.org',
    either: 1,
    kind: { type: 'x' },
    pair: ['a', 1, true],
    map: new Map([['a', 1]]),
    set: new Set(['a']),
    record: { a: 1 },
  }
  person.parse(good)
  for (const value of [
    {},
    null,
    { ...good, age: -1, mail: 'x', kind: { type: 'z' }, pair: [1], set: 1, extra: 1 },
  ]) {
    const { error } = person.safeParse(value)
    if (error === undefined) continue
    z.prettifyError(error)
    z.treeifyError(error)
    z.flattenError(error)
  }
  shapes(person)
  await effects()
  formats()
  wrappers()
  checks()
  await directions()
  compiled()
  z.toJSONSchema(
    z.object({
      a: z.string().describe('text'),
      b: z.array(z.number()),
      c: z.union([z.null(), z.boolean()]),
    }),
  )
  z.config(z.locales.en())
}

function shapes(person: z.ZodObject): void {
  person.partial().safeParse({})
  person.pick({ name: true }).parse({ name: 'b' })
  person.omit({ name: true }).safeParse({})
  person.extend({ other: z.never() }).safeParse({})
  z.intersection(z.object({ a: z.string() }), z.object({ b: z.string() })).parse({ a: '', b: '' })
  z.templateLiteral(['a', z.number()]).safeParse('a1')
  z.function({ input: [z.string()], output: z.number() }).implement((text) => text.length)('abc')
  z.string().brand('text').parse('x')
  z.codec(z.string(), z.number(), { decode: Number, encode: String }).decode('12')
  for (const schema of [
    z.iso.datetime(),
    z.ipv4(),
    z.base64(),
    z.jwt(),
    z.cidrv4(),
    z.nan(),
    z.symbol(),
    z.void(),
  ])
    schema.safeParse('1.2.3.4')
}

async function effects(): Promise<void> {
  const schema = z
    .string()
    .transform((text) => text.length)
    .refine((length) => length > 1, { error: 'too short' })
    .pipe(z.number().positive())
  schema.safeParse('a')
  await schema.parseAsync('abc')
  await z
    .string()
    .refine(async (text) => text !== '')
    .safeParseAsync('x')
  z.preprocess((value) => String(value), z.string())
    .catch('none')
    .readonly()
    .parse(1)
  z.string()
    .superRefine((_text, context) => context.addIssue('wrong'))
    .safeParse('x')
  z.stringbool().parse('yes')
}

const PLAIN: readonly (() => z.ZodType)[] = [
  ...[z.guid, z.uuidv4, z.uuidv6, z.uuidv7, z.httpUrl, z.emoji, z.nanoid, z.cuid, z.cuid2, z.ulid],
  ...[z.xid, z.ksuid, z.mac, z.ipv6, z.cidrv6, z.base64url, z.e164, z.hostname, z.hex, z.float32],
  ...[z.float64, z.int32, z.uint32, z.int64, z.uint64, z.undefined, z.date, z.file, z.json, z.int],
]

const VALUES: readonly unknown[] = [
  ...[
    'text',
    '2001:db8::1',
    'aGk',
    '+15550100',
    'example.org',
    '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    '::/0',
  ],
  ...[1, 2.5, 3n, new Date(0), undefined, null, [1], { a: [true] }],
]

function formats(): void {
  for (const create of PLAIN) {
    const schema = create()
    for (const value of VALUES) schema.safeParse(value)
    z.toJSONSchema(schema, { unrepresentable: 'any' })
  }
  for (const schema of [z.iso.date(), z.iso.time(), z.iso.duration()]) schema.safeParse('PT1S')
  const { string, number, boolean, bigint } = z.coerce
  for (const schema of [string(), number(), boolean(), bigint()]) schema.safeParse('1')
  z.hash('sha256').safeParse('00')
  z.stringFormat('short', (text) => text.length < 3).safeParse('long')
}

function wrappers(): void {
  const base = z.object({ a: z.string(), b: z.number().optional() })
  const made: readonly z.ZodType[] = [
    ...[base.keyof(), base.required(), base.partial({ a: true }), base.loose(), base.strip()],
    ...[
      base.catchall(z.string()),
      base.safeExtend({ c: z.boolean() }),
      z.looseObject({ a: z.any() }),
    ],
    ...[
      z.partialRecord(z.enum(['a']), z.number()),
      z.nativeEnum({ one: 1 }),
      z.enum(['a', 'b']).extract(['a']),
    ],
    ...[
      z.exactOptional(z.string()),
      z.nullish(z.string()),
      z.prefault(z.string(), 'x'),
      z.nonoptional(z.string().optional()),
    ],
    ...[
      z.success(z.string()),
      z.promise(z.string()),
      z.custom((value) => value === 1),
      z.instanceof(Date),
    ],
    ...[
      z.check((payload) => void payload.value) as never,
      z.xor([z.string(), z.number()]),
      z.literal(['a', 1]),
    ],
    ...[
      z.deepPartial(z.object({ inner: base })),
      z.input(z.string().transform(Number)),
      z.output(z.string().pipe(z.coerce.number())),
    ],
  ].filter((schema) => typeof (schema as { readonly safeParse?: unknown }).safeParse === 'function')
  for (const schema of made) {
    for (const value of VALUES) attempt(() => schema.safeParse(value))
    attempt(() => z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }))
  }
}

function checks(): void {
  const texts = [
    ...[
      z.string().length(3),
      z.string().lowercase(),
      z.string().uppercase(),
      z.string().includes('a'),
    ],
    ...[
      z.string().startsWith('a'),
      z.string().endsWith('z'),
      z.string().normalize(),
      z.string().toLowerCase(),
    ],
    ...[
      z.string().toUpperCase(),
      z.string().slugify(),
      z.string().nonempty(),
      z.string().overwrite((text) => text),
    ],
  ]
  const numbers = [
    ...[
      z.number().lt(1),
      z.number().negative(),
      z.number().nonpositive(),
      z.number().nonnegative(),
    ],
    ...[
      z.number().multipleOf(0.1),
      z.number().finite(),
      z.number().safe(),
      z.number().gt(0).lte(3),
    ],
  ]
  const sizes = [
    z.set(z.any()).size(1),
    z.set(z.any()).min(1),
    z.set(z.any()).max(1),
    z.map(z.any(), z.any()).max(1),
    z.array(z.any()).length(1),
  ]
  for (const schema of [
    ...texts,
    ...numbers,
    ...sizes,
    z.bigint().positive(),
    z.date().min(new Date(0)),
  ]) {
    for (const value of [
      ...VALUES,
      new Set([1, 2]),
      new Map([
        [1, 2],
        [3, 4],
      ]),
    ])
      schema.safeParse(value)
    attempt(() => z.toJSONSchema(schema, { unrepresentable: 'any' }))
  }
}

async function directions(): Promise<void> {
  const codec = z.codec(z.string(), z.number(), {
    decode: async (text) => Number(text),
    encode: async (value) => String(value),
  })
  await codec.decodeAsync('1')
  await codec.encodeAsync(1)
  await codec.safeDecodeAsync('1')
  await codec.safeEncodeAsync(1)
  attempt(() => codec.encode(1))
  attempt(() => z.invertCodec(codec).safeDecode(1))
  const schema = z.object({ a: z.string(), list: z.array(z.promise(z.number())) })
  await schema.safeParseAsync({ a: '', list: [Promise.resolve(1), 2] })
  await z
    .map(
      z.string(),
      z.string().refine(async () => true),
    )
    .safeParseAsync(new Map([['a', 'b']]))
  const registry = z.registry<{ readonly title: string }>()
  registry.add(schema, { title: 'it' })
  registry.has(schema)
  registry.remove(schema)
  registry.clear()
  schema.meta({ title: 'it', id: 'it' }).register(z.globalRegistry, {})
}

function compiled(): void {
  const tree = z.object({
    name: z.string().min(2).regex(/a/).trim(),
    age: z.number().int().gt(1).multipleOf(2).optional(),
    tags: z
      .array(z.enum(['a', 'b']))
      .max(3)
      .default([]),
    either: z.union([z.string(), z.bigint().positive()]).nullable(),
    pair: z.tuple([z.literal('x'), z.boolean()]),
    record: z.record(
      z.string(),
      z.number().refine((value) => value > 0),
    ),
    kind: z.discriminatedUnion('type', [
      z.object({ type: z.literal('a') }),
      z.object({ type: z.literal('b') }),
    ]),
    moved: z.string().transform((text) => text.length),
    set: z.set(z.string()).min(1),
    map: z.map(z.string(), z.date()),
    both: z.intersection(z.object({ a: z.string() }), z.object({ b: z.string() })),
  })
  const fast = z.compile(tree)
  const good = {
    name: 'anna',
    age: 4,
    either: 1n,
    pair: ['x', true],
    record: { a: 1 },
    kind: { type: 'b' },
    moved: 'abc',
    set: new Set(['a']),
    map: new Map([['a', new Date(0)]]),
    both: { a: '', b: '' },
  }
  for (const value of [good, {}, null, { ...good, age: 3 }]) fast.safeParse(value)
  const described = z.toJSONSchema(tree, { unrepresentable: 'any', reused: 'ref', cycles: 'ref' })
  attempt(() => z.fromJSONSchema(described as never))
  const foreign = {
    type: 'object',
    properties: {
      a: { type: 'string', format: 'email', minLength: 1 },
      b: { anyOf: [{ type: 'integer', minimum: 0 }, { type: 'null' }] },
      c: { type: 'array', items: { enum: ['x', 1] }, minItems: 1 },
      d: { $ref: '#/$defs/d' },
      e: { allOf: [{ type: 'object', properties: {} }, { required: ['z'] }] },
      f: { const: 1 },
      g: { type: 'array', prefixItems: [{ type: 'string' }] },
    },
    required: ['a'],
    additionalProperties: false,
    $defs: { d: { type: 'boolean' } },
  }
  attempt(() => z.fromJSONSchema(foreign as never).safeParse({ a: 'x' }))
  attempt(() => z.setErrorMap(() => undefined as never))
  attempt(() => z.getErrorMap())
  attempt(() => new z.core.JSONSchemaGenerator({ target: 'draft-7' }).process(tree))
}

/** What some of these refuse is their answer. */
function attempt(run: () => unknown): void {
  try {
    run()
  } catch {
    // Refused.
  }
}
