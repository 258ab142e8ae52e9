/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** The transport on a device without shared receive queues. */
package io.verbs4j.netty.nosrq;
