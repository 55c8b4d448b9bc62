// SPDX-License-Identifier: Apache-2.0

/**
 * Finds a member that is a known one but for case, `_` or `-`, such as `timeoutMS` or `input_schema`:
 * left alone, the limit or the schema that its author relies on would silently not be there.
 *
 * Members that resemble none are the host's own, which `allows` may look at.
 */
export function findMisspelt(
  members: readonly string[],
  known: readonly string[],
): { readonly given: string; readonly meant: string } | undefined {
  const byLetters = new Map(known.map((name) => [lettersOf(name), name]))
  for (const given of members) {
    const meant = byLetters.get(lettersOf(given))
    if (meant !== undefined && !known.includes(given) && !members.includes(meant)) {
      return { given, meant }
    }
  }
  return undefined
}

function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '')
}
