// SPDX-License-Identifier: Apache-2.0

/** What is served, the same for every catalog and either era: none of it announces changes. */
export const CAPABILITIES =
  '{"tools":{"listChanged":false},"resources":{"listChanged":false,"subscribe":false},"prompts":{"listChanged":false}}'
