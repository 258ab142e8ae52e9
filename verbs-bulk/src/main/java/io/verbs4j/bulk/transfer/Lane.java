/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.bulk.strategy.Posts;

/** A queue pair for bytes of transfers: the connection's own, or that of a rail. */
abstract class Lane {
    final PostedQueue posted;
    private long underWay;

    /** Whether there is no queue pair, so that the bytes in flight do not count for the device. */
    private boolean leftLoad;

    Lane(PostedQueue posted) {
        this.posted = posted;
    }

    /** Its device. */
    abstract DeviceLoad load();

    abstract Posts posts();

    /** Returns the identifier of the next request. */
    abstract long nextWrId();

    /** Returns the peer's key for the bytes of a transfer. */
    abstract int remoteKey(Transfer transfer);

    /** Number of bytes in flight. */
    long underWay() {
        return underWay;
    }

    /** Records that the next request, of this kind, was posted for bytes of a transfer. */
    void posted(Transfer transfer, long offset, int bytes, int kind) {
        posted.posted(transfer, offset, bytes, kind, true);
        underWay += bytes;
        load().add(bytes);
    }

    void completed(int bytes) {
        underWay -= bytes;
        load().add(-bytes);
    }

    /** Returns its share of the device to others, after the queue pair is closed. */
    void leaveLoad() {
        if (!leftLoad) {
            load().add(-underWay);
            leftLoad = true;
        }
    }

    /** Counts for the device again when there is a new queue pair. */
    void joinLoad() {
        load().add(underWay);
        leftLoad = false;
    }
}
