// SPDX-License-Identifier: Apache-2.0

/**
 * Every name of OpenTelemetry's semantic conventions for MCP that is written here. They are in
 * development there: another edition is another state of this file.
 *
 * @see open-telemetry/semantic-conventions-genai 0.1.0, docs/gen-ai/mcp.md
 */
export const ATTRIBUTE = {
  method: 'mcp.method.name',
  protocolVersion: 'mcp.protocol.version',
  requestId: 'jsonrpc.request.id',
  operation: 'gen_ai.operation.name',
  tool: 'gen_ai.tool.name',
  prompt: 'gen_ai.prompt.name',
  resource: 'mcp.resource.uri',
  errorType: 'error.type',
  statusCode: 'rpc.response.status_code',
  transport: 'network.transport',
  protocol: 'network.protocol.name',
} as const

/** `gen_ai.operation.name` of a tool call; other methods have none. */
export const EXECUTE_TOOL = 'execute_tool'

/** `error.type` of a result that says that its tool failed; an error has its code. */
export const TOOL_ERROR = 'tool_error'

/** The histogram of all requests, in seconds. */
export const DURATION = {
  name: 'mcp.server.operation.duration',
  unit: 's',
  description: 'Time from the admission of an MCP request to its result',
  buckets: [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300],
} as const
