// SPDX-License-Identifier: Apache-2.0
import type { defineTool, Tool } from '@beam-mcp/core'
import { Type } from '@sinclair/typebox'
import { climateOf, TOOL } from './messages.ts'

const INPUT = Type.Object(
  {
    city: Type.String({ minLength: 1, maxLength: 80, description: 'For example Oslo' }),
    month: Type.Integer({ minimum: 1, maximum: 12, description: '1 is January' }),
    note: Type.Optional(Type.String({ maxLength: 100_000 })),
  },
  { additionalProperties: false },
)

const OUTPUT = Type.Object({
  city: Type.String(),
  month: Type.Integer(),
  meanC: Type.Number(),
  noteLength: Type.Integer(),
})

/** The tool of the comparison, by the build under measurement. */
export function climateTool(define: typeof defineTool): Tool {
  return define({
    name: TOOL,
    description: 'Mean air temperature of a city in one month, in °C.',
    mode: 'read_only',
    inputSchema: INPUT,
    outputSchema: OUTPUT,
    handler: climateOf,
  })
}
