/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Carries packets of the embedded device from one local address to another: UDP through system calls or through the
 * JDK, a pipe within the JVM, and a link that loses and damages packets on purpose.
 */
package io.verbs4j.provider.rxe.link;
