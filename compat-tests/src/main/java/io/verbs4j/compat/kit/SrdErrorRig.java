/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpState;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import java.util.Arrays;
import java.util.List;

/** Requests of reliable datagrams that fail, and requests that work nevertheless. See {@link SrdErrorRules}. */
final class SrdErrorRig extends SrdRig {
    static final int NO_KEY = 0x5a00;
    static final int LONGEST = 1 << 24;

    SrdErrorRig(ProviderKit kit) {
        super(kit);
    }

    void stillSends(String after) {
        Seen.equal("the state after " + after, QpState.toString(QpState.RTS), QpState.toString(a.state()));
        b.recv(900, 30_000, 2000);
        a.post(message(901, 0, 200));
        Seen.equal("byteLen after " + after, 200, b.next(900, WcStatus.SUCCESS).byteLen());
        a.next(901, WcStatus.SUCCESS);
        b.memory.holds(30_000, a.memory, 0, 200);
    }

    /** Posts requests without a right to the memory; each must fail, move nothing, and leave the queue pair usable. */
    void badRemotes(int opcode, int right) {
        startSrd();
        long end = b.mr.addr() + Side.BYTES;
        MemoryRegion closed = b.region(b.memory.buffer, AccessFlags.LOCAL_WRITE | right);
        fails(remote(opcode, 1, 100, 0, 200).rkey(b.mr.rkey() ^ NO_KEY), "with a wrong key");
        fails(remote(opcode, 2, 100, 0, 200).remoteAddr(end - 199), "beyond the region");
        SendWorkRequest third = remote(opcode, 3, 100, 0, 200);
        fails(third.remoteAddr(closed.addr()).rkey(closed.rkey()), "of a region without the right");
        a.memory.untouched(0, 2000);
        b.memory.untouched(0, 2000);
        b.memory.untouched(Side.BYTES - 300, 300);
        a.post(remote(opcode, 4, 100, 0, 200));
        a.next(4, WcStatus.SUCCESS);
    }

    private void fails(SendWorkRequest wr, String why) {
        a.post(wr);
        WorkCompletion wc = a.next();
        Seen.equal("wrId of the completion", wr.wrId(), wc.wrId());
        Seen.equal(
                "the status of an access " + why,
                WcStatus.toString(WcStatus.REM_ACCESS_ERR),
                WcStatus.toString(wc.status()));
        Seen.equal("the state after a failed access", QpState.toString(QpState.RTS), QpState.toString(a.state()));
    }

    /** {@return the declared operations that reliable datagrams support} */
    List<Operation> operations() {
        return Arrays.stream(Operation.values())
                .filter(operation -> operation.isOfDatagrams() && operation.isStated(this))
                .toList();
    }

    void state(int expected) {
        Seen.equal("the state", QpState.toString(expected), QpState.toString(a.state()));
    }

    QpInitAttrEx with(long operations) {
        return QpInitAttrEx.of(a.pd, a.qpInit()).sendOpsFlags(operations);
    }

    void refused(long operations) {
        Seen.refuses(
                "createQpEx with sendOpsFlags " + QpCreateSendOps.toString(operations)
                        + ", which capabilities() does not declare for reliable datagrams,",
                () -> opened(a.context.createQpEx(with(operations))),
                Errno.EOPNOTSUPP);
    }

    RecvWorkRequest pieces(int id) {
        return new RecvWorkRequest().wrId(id).sgList(a.sge(0, 50), a.sge(100, 50));
    }
}
