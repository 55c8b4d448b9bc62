// SPDX-License-Identifier: Apache-2.0

/** The version of this package: the default `serverInfo.version`. A test holds it to package.json. */
export const LIBRARY_VERSION = '0.1.0'
