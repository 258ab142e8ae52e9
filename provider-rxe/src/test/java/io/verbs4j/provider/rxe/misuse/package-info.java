/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Misuse: several threads call every verb with arbitrary arguments, in any order, and close objects that others use.
 * The JVM survives, each result is an errno documented for the verb, and in the end nothing is left.
 */
package io.verbs4j.provider.rxe.misuse;
