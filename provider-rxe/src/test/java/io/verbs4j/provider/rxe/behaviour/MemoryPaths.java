/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.verbs4j.AccessFlags;
import io.verbs4j.MemoryRegion;
import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsException;
import io.verbs4j.WcStatus;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** Requests to {@code b}'s memory, used by {@code a} and by {@code b} itself. */
abstract class MemoryPaths extends EachPath {
    static final int PAGE = 4096;
    static final int ZERO = Side.ALL_ACCESS & ~AccessFlags.MW_BIND | AccessFlags.ZERO_BASED;

    @TempDir
    Path folder;

    static int errno(Runnable verb) {
        VerbsException e = catchThrowableOfType(VerbsException.class, verb::run);
        return e == null ? 0 : e.errno();
    }

    static ScatterGatherElement piece(MemoryRegion mr, long addr, int bytes) {
        return new ScatterGatherElement().addr(addr).length(bytes).lkey(mr.lkey());
    }

    SendWorkRequest request(int opcode, MemoryRegion there, long addr, int bytes) {
        return Side.wr(opcode, 1, a.sge(0, bytes)).remoteAddr(addr).rkey(there.rkey());
    }

    void works(SendWorkRequest wr) {
        a.post(wr);
        a.next(wr.wrId(), WcStatus.SUCCESS);
    }

    void isRefused(SendWorkRequest wr, int status) {
        a.post(wr);
        a.next(wr.wrId(), status);
        b.awaitState(QpState.ERR);
        a.qp.modify(new QpAttr().qpState(QpState.RESET));
        b.qp.modify(new QpAttr().qpState(QpState.RESET));
        Side.connect(a, b);
    }
}
