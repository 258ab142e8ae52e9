/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.sim;

import io.verbs4j.Context;
import io.verbs4j.cm.CmEventType;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.cm.RejectReason;
import io.verbs4j.cm.UdParam;
import io.verbs4j.cm.engine.Engines;
import io.verbs4j.cm.spi.CmEndpoint;
import io.verbs4j.cm.spi.CmProvider;
import io.verbs4j.cm.spi.CmSink;

/**
 * The connection manager of verbs-cm, changed to report each ended connection as rejected. The kernel's manager does so
 * if the peer closed before the connection was reported complete.
 */
final class RejectingCm implements CmProvider {
    /** System property that enables it. */
    static final String PROPERTY = "verbs4j.sim.rejections";

    private static final ThreadLocal<Boolean> CREATES = ThreadLocal.withInitial(() -> false);

    /** Whether a device is asked for its connection manager for a program, and not for this one. */
    static boolean isAsked() {
        return Boolean.getBoolean(PROPERTY) && !CREATES.get();
    }

    @Override
    public boolean serves(Context context) {
        return true;
    }

    @Override
    public CmEndpoint create(Context context, int portSpace, CmSink sink) {
        CREATES.set(true);
        try {
            return Engines.create(context, portSpace, new Sink(sink));
        } finally {
            CREATES.remove();
        }
    }

    private record Sink(CmSink to) implements CmSink {
        @Override
        public void event(int type, int status, ConnParam conn, UdParam ud, Object context) {
            boolean end = type == CmEventType.DISCONNECTED;
            to.event(
                    end ? CmEventType.REJECTED : type,
                    end ? RejectReason.CONSUMER_DEFINED : status,
                    end ? ConnParam.DEFAULT : conn,
                    ud,
                    context);
        }

        @Override
        public CmSink connectRequest(CmEndpoint child, ConnParam conn) {
            CmSink told = to.connectRequest(child, conn);
            return told == null ? null : new Sink(told);
        }
    }
}
