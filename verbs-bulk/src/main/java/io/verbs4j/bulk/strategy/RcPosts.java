/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.strategy;

import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SendBuilder;
import io.verbs4j.VerbsException;

/** Posts to a queue pair of type RC. Gathered requests are posted in one call. */
final class RcPosts implements Posts {
    private final QueuePair qp;
    private final SendBuilder builder;
    private boolean gathering;

    RcPosts(QueuePair qp) {
        this.qp = qp;
        builder = qp.builder();
    }

    @Override
    public void connected() {
        // nothing to be done
    }

    @Override
    public int write(long wrId, int flags, int lkey, long address, int length, int rkey, long remoteAddress) {
        begin();
        builder.write(wrId, flags, rkey, remoteAddress, lkey, address, length);
        return 0;
    }

    @Override
    public int writeAndTell(
            long wrId, int flags, int lkey, long address, int length, int rkey, long remoteAddress, int value) {
        begin();
        builder.writeWithImm(wrId, flags, rkey, remoteAddress, value);
        if (length > 0) {
            builder.sge(lkey, address, length);
        }
        return 0;
    }

    @Override
    public int read(long wrId, int flags, int lkey, long address, int length, int rkey, long remoteAddress) {
        begin();
        builder.read(wrId, flags, rkey, remoteAddress, lkey, address, length);
        return 0;
    }

    @Override
    public int send(
            long wrId, int flags, int headerKey, long header, int headerLength, int lkey, long address, int length) {
        begin();
        if (length > 0) {
            builder.send(wrId, flags).sge(headerKey, header, headerLength).sge(lkey, address, length);
        } else {
            builder.send(wrId, flags, headerKey, header, headerLength);
        }
        return 0;
    }

    private void begin() {
        if (!gathering) {
            gathering = true;
            builder.start();
        }
    }

    @Override
    public int flush() {
        if (!gathering) {
            return 0;
        }
        gathering = false;
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
