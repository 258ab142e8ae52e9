/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package app;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.Device;
import io.verbs4j.NodeType;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.TransportType;
import io.verbs4j.WorkCompletion;
import io.verbs4j.spi.VerbsProvider;
import java.util.List;

/**
 * A provider of level 1 as source. It must compile with each header, because a later level may not require more of its
 * author. It never runs.
 */
public final class OwnProvider implements VerbsProvider {
    @Override
    public String name() {
        return "own";
    }

    @Override
    public int level() {
        return 1;
    }

    @Override
    public int minimumLibraryLevel() {
        return 1;
    }

    @Override
    public List<? extends Device> devices() {
        return List.of(new Device("own0", 1, NodeType.CA, TransportType.IB) {});
    }

    @Override
    public ContextOps openDevice(Device device, Context context) {
        return new ContextOps() {
            @Override
            public ProtectionDomain allocPd() {
                return new ProtectionDomain(context) {};
            }

            @Override
            public QueuePair createQp(ProtectionDomain pd, QpInitAttr attr) {
                return new Pair(pd, attr);
            }

            @Override
            public SharedReceiveQueue createSrq(ProtectionDomain pd, SrqInitAttr attr) {
                return new Shared(pd, attr);
            }

            @Override
            public CompletionQueue createCq(
                    int cqe, Object userContext, io.verbs4j.CompletionChannel channel, int compVector) {
                return new CompletionQueue(context, cqe, userContext, channel) {
                    @Override
                    public int poll(int numEntries, WorkCompletion[] wc) {
                        return 0;
                    }

                    @Override
                    public int reqNotify(boolean solicitedOnly) {
                        return 0;
                    }
                };
            }
        };
    }

    private static final class Pair extends QueuePair {
        Pair(ProtectionDomain pd, QpInitAttr attr) {
            super(pd, attr, 1);
        }

        @Override
        public int postSend(SendWorkRequest wr, SendWorkRequest[] badWr) {
            return 0;
        }

        @Override
        public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
            return 0;
        }

        @Override
        public int bindMw(MemoryWindow mw, MwBind bind) {
            return 0;
        }
    }

    private static final class Shared extends SharedReceiveQueue {
        Shared(ProtectionDomain pd, SrqInitAttr attr) {
            super(pd, attr);
        }

        @Override
        public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
            return 0;
        }
    }
}
