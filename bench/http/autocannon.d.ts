// SPDX-License-Identifier: Apache-2.0

/** The part of autocannon 9 that is used; the package has no types of its own. */
declare module 'autocannon' {
  interface Options {
    readonly url: string
    readonly method: string
    readonly headers: Record<string, string>
    readonly body: string
    /** Requests in all. */
    readonly amount: number
    readonly connections: number
    readonly pipelining: number
    /** Milliseconds between samples; the result comes with a sample. */
    readonly sampleInt: number
    readonly verifyBody: (body: string) => boolean
  }

  interface Result {
    readonly '2xx': number
    readonly non2xx: number
    readonly mismatches: number
    readonly errors: number
    readonly timeouts: number
    readonly statusCodeStats: Readonly<Record<string, { readonly count: number }>>
  }

  interface Running extends PromiseLike<Result> {
    on(event: 'response', listener: () => void): this
  }

  export default function autocannon(options: Options): Running
}
