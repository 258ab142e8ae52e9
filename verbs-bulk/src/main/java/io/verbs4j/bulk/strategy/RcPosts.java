/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.strategy;

import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SendBuilder;

/** Posts to a queue pair of type RC. Gathered requests are posted in one call. */
final class RcPosts implements Posts {
    private final QueuePair qp;
    private final PostBatch batch;

    RcPosts(QueuePair qp) {
        this.qp = qp;
        batch = new PostBatch(qp);
    }

    @Override
    public void connected() {
        // nothing to do
    }

    @Override
    public int write(long wrId, int flags, int lkey, long address, int length, int rkey, long remoteAddress) {
        batch.next().write(wrId, flags, rkey, remoteAddress, lkey, address, length);
        return 0;
    }

    @Override
    public int writeAndTell(
            long wrId, int flags, int lkey, long address, int length, int rkey, long remoteAddress, int value) {
        SendBuilder builder = batch.next();
        builder.writeWithImm(wrId, flags, rkey, remoteAddress, value);
        if (length > 0) {
            builder.sge(lkey, address, length);
        }
        return 0;
    }

    @Override
    public int read(long wrId, int flags, int lkey, long address, int length, int rkey, long remoteAddress) {
        batch.next().read(wrId, flags, rkey, remoteAddress, lkey, address, length);
        return 0;
    }

    @Override
    public int send(
            long wrId, int flags, int headerKey, long header, int headerLength, int lkey, long address, int length) {
        if (length > 0) {
            batch.next().send(wrId, flags).sge(headerKey, header, headerLength).sge(lkey, address, length);
        } else {
            batch.next().send(wrId, flags, headerKey, header, headerLength);
        }
        return 0;
    }

    @Override
    public int flush() {
        return batch.flush();
    }

    @Override
    public int receive(RecvWorkRequest request) {
        return qp.postRecv(request);
    }

    @Override
    public void fail() {
        batch.fail();
    }
}
