/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.local;

import io.verbs4j.Gid;
import io.verbs4j.natives.memory.NativeMemory;
import java.nio.ByteBuffer;

/**
 * Writes the forty bytes that the receiver of a datagram finds in front of it: an IPv6 header, or twenty zero bytes and
 * an IPv4 header. Not thread-safe. Source: InfiniBand Architecture Specification 8.3 and annex A17.4.5.2.
 */
public final class GrhWriter {
    /** Bytes in front of a datagram. */
    public static final int LENGTH = 40;

    private static final int UDP = 17;
    private static final int IPV4_OFFSET = 20;
    private static final int IPV4_LENGTH = 20;

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(LENGTH);
    private final long address = NativeMemory.address(buffer);

    /** Writes the header; returns its address. */
    public long write(Gid source, Gid destination, int payload, int trafficClass, int flowLabel, int hopLimit) {
        return write(
                source.subnetPrefix(),
                source.interfaceId(),
                destination.subnetPrefix(),
                destination.interfaceId(),
                payload,
                trafficClass,
                flowLabel,
                hopLimit);
    }

    /** Writes the header for GIDs given in halves; returns its address. */
    public long write(
            long sourceHigh,
            long sourceLow,
            long destinationHigh,
            long destinationLow,
            int payload,
            int trafficClass,
            int flowLabel,
            int hopLimit) {
        boolean ipv4 = sourceHigh == 0 && sourceLow >>> 32 == 0xffffL;
        if (ipv4) {
            NativeMemory.fill(address, LENGTH, (byte) 0);
            buffer.put(IPV4_OFFSET, (byte) 0x45)
                    .put(IPV4_OFFSET + 1, (byte) trafficClass)
                    .putShort(IPV4_OFFSET + 2, (short) (IPV4_LENGTH + payload))
                    .putShort(IPV4_OFFSET + 6, (short) 0x4000) // don't fragment
                    .put(IPV4_OFFSET + 8, (byte) hopLimit)
                    .put(IPV4_OFFSET + 9, (byte) UDP)
                    .putInt(IPV4_OFFSET + 12, (int) sourceLow)
                    .putInt(IPV4_OFFSET + 16, (int) destinationLow)
                    .putShort(IPV4_OFFSET + 10, checksum());
        } else {
            buffer.putInt(0, 6 << 28 | trafficClass << 20 | flowLabel)
                    .putShort(4, (short) payload)
                    .put(6, (byte) UDP)
                    .put(7, (byte) hopLimit)
                    .putLong(8, sourceHigh)
                    .putLong(16, sourceLow)
                    .putLong(24, destinationHigh)
                    .putLong(32, destinationLow);
        }
        return address;
    }

    private short checksum() {
        int sum = 0;
        for (int i = 0; i < IPV4_LENGTH; i += 2) {
            sum += buffer.getShort(IPV4_OFFSET + i) & 0xffff;
        }
        sum = (sum & 0xffff) + (sum >>> 16);
        return (short) ~((sum & 0xffff) + (sum >>> 16));
    }
}
