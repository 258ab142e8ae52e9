/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The part of an embedded device that the Java connection manager uses. Without the module verbs-cm, none of it is
 * loaded.
 */
package io.verbs4j.provider.rxe.gsi;
