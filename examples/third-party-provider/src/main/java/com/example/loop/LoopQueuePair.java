/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.loop;

import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SendWorkRequest;

/**
 * What programs hold. It has the header's methods and no other: every name on a handle is the header's, those of later
 * levels included. What the provider needs is behind the field.
 */
final class LoopQueuePair extends QueuePair {
    final Connection connection;

    LoopQueuePair(ProtectionDomain pd, QpInitAttr attr, int number, Connection connection) {
        super(pd, attr, number);
        this.connection = connection;
    }

    @Override
    public int postSend(SendWorkRequest wr, SendWorkRequest[] badWr) {
        return connection.postSend(wr, badWr);
    }

    @Override
    public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
        return connection.postRecv(wr, badWr);
    }

    @Override
    public int bindMw(MemoryWindow mw, MwBind bind) {
        return connection.bindMw(mw, bind);
    }
}
