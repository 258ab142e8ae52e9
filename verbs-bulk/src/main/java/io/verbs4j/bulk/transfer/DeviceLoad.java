/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

/** A device as connections see it: how many bytes are in flight on it, and whether it is lost. */
public final class DeviceLoad {
    private final int device;
    private final long limit;
    private long bytes;
    private volatile boolean lost;

    /** For the device with this index in the endpoint. */
    public DeviceLoad(int device, long limit) {
        this.device = device;
        this.limit = limit;
    }

    /** Its index in the endpoint. */
    public int device() {
        return device;
    }

    /** Marks the device as lost, for good. */
    public void lose() {
        lost = true;
    }

    /** Whether it is lost: nothing is posted or completes any more. Any thread may ask. */
    public boolean isLost() {
        return lost;
    }

    boolean hasRoom(int more) {
        return bytes == 0 || bytes + more <= limit;
    }

    void add(long count) {
        bytes += count;
    }
}
