// SPDX-License-Identifier: Apache-2.0
export { BEAM_ERR_SCHEMA_UNSUPPORTED } from './errors.ts'
