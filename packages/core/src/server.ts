// SPDX-License-Identifier: Apache-2.0

// The subpath `@beam-mcp/core/server`: everything but HTTP. It loads where Fastify is absent.
export type {
  Awaitable,
  Capabilities,
  Catalog,
  CatalogEntry,
  Dispatch,
  PromptAnswer,
  PromptMessage,
  ResourceAnswer,
  ResourceContents,
} from './catalog/catalog.ts'
export type {
  Completer,
  CompletionAnswer,
  CompletionContext,
  CompletionRequest,
  PromptRef,
  ResourceRef,
} from './catalog/completion.ts'
export type {
  Annotations,
  BlockExtras,
  ContentBlock,
  EmbeddedResource,
  Icon,
  MediaContent,
  ResourceLink,
  TextContent,
} from './catalog/content.ts'
export {
  audio,
  type EmbeddedContents,
  embeddedResource,
  image,
  resourceLink,
  text,
} from './catalog/content-blocks.ts'
export type {
  CallContext,
  CatalogContext,
  ReadContext,
  TransportContext,
} from './catalog/context.ts'
export { type Beam, createBeam } from './catalog/create-beam.ts'
export {
  type CatalogParts,
  type CatalogWithDispatch,
  createCatalog,
} from './catalog/create-catalog.ts'
export {
  type ArgumentsOf,
  type BarePromptDefinition,
  definePrompt,
  defineResource,
  defineResourceTemplate,
  defineTool,
  type Prompt,
  type PromptArgumentsOf,
  type PromptDefinition,
  type Resource,
  type ResourceTemplate,
  type ResourceTemplateDefinition,
  type Tool,
  type ToolDefinition,
  type VariablesOf,
} from './catalog/define.ts'
export {
  type ExtensionResult,
  extensionResult,
  type InputRequired,
  inputRequired,
  type MissingCapability,
  missingCapability,
  type NotFound,
  notFound,
  type PromptError,
  promptError,
  type ToolResult,
  toolError,
  toolResult,
} from './catalog/outcome.ts'
export type { PromptArgument, PromptSpec } from './catalog/prompt-spec.ts'
export type { ResourceSpec, ResourceTemplateSpec } from './catalog/resource-spec.ts'
export type { JsonSchema, ToolAnnotations, ToolSpec } from './catalog/tool-spec.ts'
export {
  BEAM_ERR_CATALOG_ENTRY,
  BEAM_ERR_CATALOG_INVALID,
  BEAM_ERR_CONTRACT,
  BEAM_ERR_OPT_INVALID,
  BEAM_ERR_REDIS_UNAVAILABLE,
  BEAM_ERR_SCHEMA_UNSUPPORTED,
} from './errors.ts'
export type { FormContentOf } from './input/form-content.ts'
export type { FormSchema, FormValue } from './input/form-schema.ts'
export {
  type ElicitFormRequest,
  type ElicitFormResponse,
  type ElicitUrlRequest,
  type ElicitUrlResponse,
  elicitForm,
  elicitUrl,
  type InputRequest,
  type InputResponseOf,
  type ListRootsRequest,
  type ListRootsResponse,
  listRoots,
  type SamplingMessage,
  type SamplingParams,
  type SamplingRequest,
  type SamplingResponse,
  sample,
} from './input/requests.ts'
export type { CacheHint, CacheKey } from './protocol/cache-hints.ts'
export {
  createServer,
  type JsonRpcError,
  type JsonRpcResponse,
  type McpServer,
} from './protocol/create-server.ts'
export type { HandleContext } from './protocol/in-process.ts'
export type { Instrument, RequestEnd, RequestStart } from './protocol/instrument.ts'
export type { JsonRpcId } from './protocol/json-rpc.ts'
export type { LogLevel } from './protocol/log-levels.ts'
export type { Logger } from './protocol/logger.ts'
export {
  type CallEvent,
  type CallKind,
  type CallOutcome,
  type CallReport,
  CHANNEL_NAMES,
} from './protocol/observe.ts'
export type { JsonObject } from './protocol/plain.ts'
export type { Implementation } from './protocol/server-info.ts'
export type { ProtocolVersion, ServerOptions } from './protocol/server-options.ts'
export type { TraceContext } from './protocol/trace-context.ts'
export {
  createStateSealer,
  type StateBinding,
  type StateSealer,
  type StateSealerOptions,
} from './state/state-sealer.ts'
export {
  type ChangeNotifier,
  type ChangeNotifierOptions,
  createNotifier,
} from './subscriptions/change-notifier.ts'
export { type ChangeEvent, createMemoryBus, type EventBus } from './subscriptions/event-bus.ts'
export type { SubscriptionOptions } from './subscriptions/subscription-options.ts'
