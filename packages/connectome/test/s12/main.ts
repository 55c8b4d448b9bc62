// SPDX-License-Identifier: Apache-2.0
// Prints what this host says of one graph.
import { report } from './graph.ts'

console.log(report())
