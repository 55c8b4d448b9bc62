// SPDX-License-Identifier: Apache-2.0
import { CONNECTOME_CODES, ConnectomeError, type Reason } from '../error.ts'

/** Refuses a declared build. @see docs/connectome-declared.md, "Refusals" */
export function refuse(...reason: Reason): never {
  throw new ConnectomeError(CONNECTOME_CODES.DECLARED, reason)
}
