// SPDX-License-Identifier: Apache-2.0
import type { FormSchema, FormValue } from './form-schema.ts'

/**
 * The type of what a form brings: of a TypeBox schema (known by its `static` member) exactly, of a
 * schema that is written out from its fields, and of any other a record of form values.
 */
export type FormContentOf<Schema extends FormSchema> = Schema extends {
  readonly static: infer Static
}
  ? Static
  : FormSchema extends Schema
    ? Readonly<Record<string, FormValue>>
    : Written<Schema['properties'], RequiredOf<Schema>>

type RequiredOf<Schema> = Schema extends { readonly required: readonly (infer Name)[] }
  ? Name
  : never

type Written<Fields extends FormSchema['properties'], Required> = Flat<
  {
    readonly [Name in keyof Fields as Name extends Required ? Name : never]: ValueOf<Fields[Name]>
  } & {
    readonly [Name in keyof Fields as Name extends Required ? never : Name]?: ValueOf<Fields[Name]>
  }
>

type Flat<Content> = { [Name in keyof Content]: Content[Name] }

type ValueOf<Field> = Field extends { readonly type: 'string' }
  ? ChoiceOf<Field>
  : Field extends { readonly type: 'number' | 'integer' }
    ? number
    : Field extends { readonly type: 'boolean' }
      ? boolean
      : Field extends { readonly type: 'array'; readonly items: infer Items }
        ? readonly ChoiceOf<Items>[]
        : FormValue

type ChoiceOf<Field> = Field extends { readonly enum: readonly (infer Value extends string)[] }
  ? Value
  : Field extends { readonly oneOf: readonly { readonly const: infer Value extends string }[] }
    ? Value
    : Field extends { readonly anyOf: readonly { readonly const: infer Value extends string }[] }
      ? Value
      : string
