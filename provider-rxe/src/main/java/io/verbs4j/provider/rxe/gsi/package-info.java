/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** What the connection manager in Java needs of an embedded device. Without the module verbs-cm nothing of this is loaded. */
package io.verbs4j.provider.rxe.gsi;
