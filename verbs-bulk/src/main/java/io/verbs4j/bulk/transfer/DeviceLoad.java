/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

/** Bytes that all connections of a device have under way. */
public final class DeviceLoad {
    private final int device;
    private final long limit;
    private long bytes;

    /** Of the device with that index in the endpoint. */
    public DeviceLoad(int device, long limit) {
        this.device = device;
        this.limit = limit;
    }

    int device() {
        return device;
    }

    boolean hasRoom(int more) {
        return bytes == 0 || bytes + more <= limit;
    }

    void add(long count) {
        bytes += count;
    }
}
