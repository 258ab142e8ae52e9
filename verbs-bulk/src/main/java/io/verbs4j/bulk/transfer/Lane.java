/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.bulk.strategy.Posts;

/** A queue pair that bytes of transfers go by: that of the connection, or one more of its rails. */
abstract class Lane {
    final PostedQueue posted;
    private long underWay;

    /** There is no queue pair, so the bytes under way do not count for the device. */
    private boolean leftLoad;

    Lane(PostedQueue posted) {
        this.posted = posted;
    }

    /** Its device. */
    abstract DeviceLoad load();

    abstract Posts posts();

    /** The identifier of the next request. */
    abstract long nextWrId();

    /** The peer's key for the bytes of a transfer. */
    abstract int remoteKey(Transfer transfer);

    /** Bytes that were posted, and have not completed. */
    long underWay() {
        return underWay;
    }

    /** The next request, of that kind, was posted for bytes of a transfer. */
    void posted(Transfer transfer, long offset, int bytes, int kind) {
        posted.posted(transfer, offset, bytes, kind, true);
        underWay += bytes;
        load().add(bytes);
    }

    void completed(int bytes) {
        underWay -= bytes;
        load().add(-bytes);
    }

    /** The queue pair is closed: others may have what this one has of the device. */
    void leaveLoad() {
        if (!leftLoad) {
            load().add(-underWay);
            leftLoad = true;
        }
    }

    /** There is a queue pair again. */
    void joinLoad() {
        load().add(underWay);
        leftLoad = false;
    }
}
