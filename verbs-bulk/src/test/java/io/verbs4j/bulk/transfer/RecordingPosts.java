/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.RecvWorkRequest;
import io.verbs4j.bulk.strategy.Posts;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Accepts and records all requests. */
final class RecordingPosts implements Posts {
    /** A request that moves bytes. */
    record Request(String operation, long address, int length, int rkey, long remoteAddress) {}

    final List<Request> requests = new ArrayList<>();

    /** Copies of message headers at the time of sending. */
    final List<ByteBuffer> messages = new ArrayList<>();

    Link link;
    boolean failed;

    /** Result of posting. */
    int errno;

    @Override
    public void connected() {
        // nothing to record
    }

    @Override
    public int write(long wrId, int flags, int lkey, long address, int length, int rkey, long remoteAddress) {
        requests.add(new Request("write", address, length, rkey, remoteAddress));
        return 0;
    }

    @Override
    public int writeAndTell(
            long wrId, int flags, int lkey, long address, int length, int rkey, long remoteAddress, int value) {
        requests.add(new Request("write and tell", address, length, rkey, remoteAddress));
        return 0;
    }

    @Override
    public int read(long wrId, int flags, int lkey, long address, int length, int rkey, long remoteAddress) {
        requests.add(new Request("read", address, length, rkey, remoteAddress));
        return 0;
    }

    @Override
    public int send(
            long wrId, int flags, int headerKey, long header, int headerLength, int lkey, long address, int length) {
        byte[] copy = new byte[headerLength];
        link.slots.bytes().get((int) (header - link.slots.address(0)), copy);
        messages.add(ByteBuffer.wrap(copy).order(link.slots.bytes().order()));
        return 0;
    }

    @Override
    public int flush() {
        return errno;
    }

    @Override
    public int receive(RecvWorkRequest request) {
        return 0;
    }

    @Override
    public void fail() {
        failed = true;
    }
}
