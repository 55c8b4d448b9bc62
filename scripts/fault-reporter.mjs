// SPDX-License-Identifier: Apache-2.0
// A reporter of vitest: writes each fault of a run, and nothing else, to the file `FAULTS` names.

import { writeFileSync } from 'node:fs'

const MOST_LINES = 12

export default class FaultReporter {
  onTestRunEnd(testModules, unhandledErrors) {
    const faults = testModules.flatMap((testModule) => [
      ...faultsOf(testModule.moduleId, testModule.errors()),
      ...[...testModule.children.allTests('failed')].flatMap((test) =>
        faultsOf(`${testModule.moduleId}\n> ${test.fullName}`, test.result().errors),
      ),
    ])
    faults.push(...faultsOf('Thrown outside of every test', unhandledErrors))
    writeFileSync(process.env['FAULTS'], faults.join('\n\n'))
  }
}

function faultsOf(where, errors) {
  return errors.map((error) => {
    const lines = `${error.message ?? error}\n${error.stack ?? ''}`.split('\n').slice(0, MOST_LINES)
    return `${where}\n${lines.map((line) => `    ${line}`).join('\n')}`
  })
}
