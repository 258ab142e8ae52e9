/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.devicecode.lanes;

import io.verbs4j.devicecode.DeviceRing;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;

/** {@code struct job} of {@code lanes.c}: what lanes do, and what came of it. */
public final class LaneJob {
    private static final int SIZEOF = 112;
    private static final long SECONDS = 60;

    private final ByteBuffer at = ByteBuffer.allocateDirect(SIZEOF).order(ByteOrder.nativeOrder());
    private final long wanted;

    /**
     * Creates a job: each of {@code lanes} threads posts {@code count} requests, {@code batch} at a time.
     *
     * @param operation a {@link io.verbs4j.WrOpcode} value
     */
    public LaneJob(int operation, int lanes, int count, int batch) {
        wanted = (long) lanes * count;
        at.putInt(0, operation).putInt(4, lanes).putInt(8, count).putInt(12, batch);
        at.putLong(56, TimeUnit.SECONDS.toNanos(SECONDS));
    }

    /**
     * Sets the memory. Request i uses the piece i of {@code pieces}, in turn.
     *
     * @param length length of a piece in bytes
     */
    public LaneJob memory(long local, int lkey, long remote, int rkey, int length, long pieces) {
        at.putInt(16, length).putInt(20, lkey).putInt(24, rkey);
        at.putLong(32, local).putLong(40, remote).putLong(48, pieces);
        return this;
    }

    /** Has only one of {@code every} requests signaled. */
    public LaneJob unsignaled(int every) {
        at.putInt(28, every);
        return this;
    }

    /** Sets the remote key. */
    public LaneJob rkey(int key) {
        at.putInt(24, key);
        return this;
    }

    /** Sets how long the job may take. */
    public LaneJob nanos(long value) {
        at.putLong(56, value);
        return this;
    }

    /** Sets how long the job may take, unless it may take less anyway. */
    void atMost(long nanos) {
        nanos(Math.min(nanos, at.getLong(56)));
    }

    ByteBuffer memory() {
        return at;
    }

    /** {@return the number of requests that lanes posted} */
    public long posted() {
        return at.getLong(64);
    }

    /** {@return the number of completions} */
    public long completed() {
        return at.getLong(72);
    }

    /** {@return the number of completions with an error} */
    public long failed() {
        return at.getLong(80);
    }

    /** {@return the status of the first completion with an error} */
    public int firstStatus() {
        return at.getInt(88);
    }

    /** {@return the number of posts that returned {@code V4J_DEV_UNSUPPORTED}} */
    public long unsupported() {
        return at.getLong(96);
    }

    /** {@return the number of lanes that gave up when the time was over} */
    public long late() {
        return at.getLong(104);
    }

    /**
     * Requires that all requests were posted and succeeded, that each signaled one had one completion, and that their
     * places are free again.
     */
    public void requireAll(DeviceRing ring) {
        String got = "late " + late() + ", unsupported " + unsupported() + ", posted " + posted() + " of " + wanted
                + ", completed " + completed() + ", failed " + failed() + ", first status " + firstStatus() + ", freed "
                + ring.completed();
        if (late() != 0
                || unsupported() != 0
                || posted() != wanted
                || failed() != 0
                || completed() != wanted / Math.max(1, at.getInt(28))
                || ring.completed() != wanted) {
            throw new AssertionError(got);
        }
    }
}
