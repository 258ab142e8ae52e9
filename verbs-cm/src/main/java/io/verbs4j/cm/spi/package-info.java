/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * What carries a connection manager: {@link io.verbs4j.cm.spi.CmProvider} for a device with one of its own, {@link
 * io.verbs4j.cm.spi.GsiPort} for a device that only moves management packets, which the connection manager in Java then writes and reads.
 */
package io.verbs4j.cm.spi;
