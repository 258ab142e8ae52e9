/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.datagram;

import java.nio.ByteBuffer;

/**
 * The memory of a connection's messages.
 *
 * @param bytes slots for incoming messages from 0, then the headers of outgoing ones; little-endian
 * @param address its address in requests
 * @param slotBytes size of a slot
 * @param count number of slots
 */
public record DatagramSlots(ByteBuffer bytes, long address, int slotBytes, int count) {}
