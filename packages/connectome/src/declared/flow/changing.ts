// SPDX-License-Identifier: Apache-2.0

/**
 * Sets fields of an object to something else than they were made with. The engine takes a field that no
 * object of a shape has ever changed for constant, compiles that into all code that reads it, and compiles
 * all of that anew after the first change. So what changes at some time does so before anything is compiled; of
 * shapes that there are many objects of one sample does, when the work begins: shapes of which none is left
 * are forgotten.
 *
 * @returns the object
 */
export function changing<Kind extends object>(object: Kind, fields: Partial<Kind>): Kind {
  return Object.assign(object, fields)
}
