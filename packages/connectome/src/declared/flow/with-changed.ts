// SPDX-License-Identifier: Apache-2.0

/**
 * Sets fields of an object to something else than they were made with. The engine takes a field that no
 * object of a shape has ever changed for constant, compiles that into all code that reads it, and compiles
 * all of that anew after the first change. So a field that ever changes is changed at once, before anything
 * is compiled. Where there are many objects of one shape, one sample is changed for all of them at the start
 * of each analysis, since the engine forgets a shape when its last object is gone.
 *
 * @returns the object
 */
export function withChanged<Kind extends object>(object: Kind, fields: Partial<Kind>): Kind {
  return Object.assign(object, fields)
}
