/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Misuse: several threads call every verb with anything, in any order, and close what others use. The JVM lives on, each
 * answer is an errno that is documented for the verb, and in the end nothing is left.
 */
package io.verbs4j.provider.rxe.misuse;
