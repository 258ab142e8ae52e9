/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.strategy;

import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SendBuilder;
import io.verbs4j.VerbsException;

/** Posts to a queue pair of type RC. */
final class RcPosts implements Posts {
    private final QueuePair qp;
    private final SendBuilder builder;

    RcPosts(QueuePair qp) {
        this.qp = qp;
        builder = qp.builder();
    }

    @Override
    public int write(long wrId, int flags, int lkey, long address, int length, int rkey, long remoteAddress) {
        builder.start();
        builder.write(wrId, flags, rkey, remoteAddress, lkey, address, length);
        return builder.complete();
    }

    @Override
    public int writeAndTell(
            long wrId, int flags, int lkey, long address, int length, int rkey, long remoteAddress, int value) {
        builder.start();
        builder.writeWithImm(wrId, flags, rkey, remoteAddress, value);
        if (length > 0) {
            builder.sge(lkey, address, length);
        }
        return builder.complete();
    }

    @Override
    public int read(long wrId, int flags, int lkey, long address, int length, int rkey, long remoteAddress) {
        builder.start();
        builder.read(wrId, flags, rkey, remoteAddress, lkey, address, length);
        return builder.complete();
    }

    @Override
    public int send(
            long wrId, int flags, int headerKey, long header, int headerLength, int lkey, long address, int length) {
        builder.start();
        if (length > 0) {
            builder.send(wrId, flags).sge(headerKey, header, headerLength).sge(lkey, address, length);
        } else {
            builder.send(wrId, flags, headerKey, header, headerLength);
        }
        return builder.complete();
    }

    @Override
    public int receive(RecvWorkRequest request) {
        return qp.postRecv(request);
    }

    @Override
    public void fail() {
        try {
            qp.modify(new QpAttr().qpState(QpState.ERR));
        } catch (VerbsException e) {
            // closed, or failed already: nothing reaches memory by it
        }
    }
}
