/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Interfaces for devices that support connection managers.
 *
 * <p>A device with a connection manager of its own provides a {@link io.verbs4j.cm.spi.CmProvider}. A device that only
 * transfers management packets provides a {@link io.verbs4j.cm.spi.GsiPort}; the connection manager in Java then writes
 * and reads them.
 */
package io.verbs4j.cm.spi;
