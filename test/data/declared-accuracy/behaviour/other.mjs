// SPDX-License-Identifier: Apache-2.0
export default () => 1
export const value = 'value'
export let count = 0
export const bump = () => (count += 1)
