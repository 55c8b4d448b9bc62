#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
import { runStdio } from '@beam-mcp/core/stdio'
import { about, weather } from './catalog.ts'

await runStdio({ ...weather, ...about })
