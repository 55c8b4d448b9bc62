// SPDX-License-Identifier: Apache-2.0
import * as fixture from './fixture/index.js'

export async function drive() {
  for (const run of Object.values(fixture)) await run()
}
