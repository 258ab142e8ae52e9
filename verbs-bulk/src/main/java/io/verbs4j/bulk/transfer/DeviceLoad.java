/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

/** A device of the endpoint, as connections see it: how many bytes they have under way, and whether it is lost. */
public final class DeviceLoad {
    private final int device;
    private final long limit;
    private long bytes;
    private volatile boolean lost;

    /** Of the device with that index in the endpoint. */
    public DeviceLoad(int device, long limit) {
        this.device = device;
        this.limit = limit;
    }

    /** Its index in the endpoint. */
    public int device() {
        return device;
    }

    /** The device is lost, for good. */
    public void lose() {
        lost = true;
    }

    /** Whether it is lost: nothing is posted, and nothing completes any more. Any thread may ask. */
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
