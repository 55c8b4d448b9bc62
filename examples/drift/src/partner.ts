// SPDX-License-Identifier: Apache-2.0
let told = 0

/** Would tell an advertising partner what somebody looked at; here it counts. */
export function afterwards(_article: string): void {
  told += 1
}

/** How often the partner was told. */
export function timesTold(): number {
  return told
}
