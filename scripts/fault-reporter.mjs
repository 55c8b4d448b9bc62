// SPDX-License-Identifier: Apache-2.0
// A reporter of vitest: writes which files of a run failed, and each fault, to the file `FAULTS` names.

import { writeFileSync } from 'node:fs'

const MOST_LINES = 12

export default class FaultReporter {
  onTestRunEnd(testModules, unhandledErrors) {
    const failed = testModules.filter((testModule) => !testModule.ok())
    const faults = failed.flatMap((testModule) => [
      ...faultsOf(testModule.moduleId, testModule.errors()),
      ...[...testModule.children.allTests('failed')].flatMap((test) =>
        faultsOf(`${testModule.moduleId}\n> ${test.fullName}`, test.result().errors),
      ),
    ])
    faults.push(...faultsOf('Thrown outside of every test', unhandledErrors))
    // What was thrown outside of a test may come from any file.
    const files = unhandledErrors.length > 0 ? [] : failed.map(({ moduleId }) => moduleId)
    const text = faults.join('\n\n') || 'No fault was told of'
    writeFileSync(process.env['FAULTS'], JSON.stringify({ files, text }))
  }
}

function faultsOf(where, errors) {
  return errors.map((error) => {
    const lines = `${error.message ?? error}\n${error.stack ?? ''}`.split('\n').slice(0, MOST_LINES)
    return `${where}\n${lines.map((line) => `    ${line}`).join('\n')}`
  })
}
