/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import io.verbs4j.Context;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.PollCqAttr;
import io.verbs4j.VerbsException;
import io.verbs4j.WcExFlags;
import io.verbs4j.WcTmInfo;
import io.verbs4j.WorkCompletion;

/** The program's handle of an extended completion queue. */
public final class RxeCompletionQueueEx extends RxeCompletionQueue {
    /** Creates a queue and its handle. */
    public RxeCompletionQueueEx(
            Context context, CqInitAttrEx attr, CqHost host, RxeCq.OverrunHandler overrunHandler, CqOptions options) {
        super(
                context,
                attr.cqe(),
                attr.userContext(),
                (RxeCompletionChannel) attr.channel(),
                host,
                overrunHandler,
                attr.wcFlags(),
                options);
    }

    @Override
    public int startPoll(PollCqAttr attr) {
        return lanes.isHandedOver() ? Errno.EBUSY : cq.startPoll(attr);
    }

    @Override
    public int nextPoll() {
        return cq.nextPoll();
    }

    @Override
    public int endPoll() {
        return cq.endPoll();
    }

    private WorkCompletion with(long flag) {
        if ((wcFlags() & flag) == 0) {
            throw new VerbsException(
                    Errno.EINVAL,
                    "start_poll",
                    "the queue was created without " + WcExFlags.toString(flag) + "; add it to wcFlags");
        }
        return cq.current();
    }

    @Override
    public long wrId() {
        return cq.current().wrId();
    }

    @Override
    public int status() {
        return cq.current().status();
    }

    @Override
    public int readOpcode() {
        return cq.current().opcode();
    }

    @Override
    public int readVendorErr() {
        return cq.current().vendorErr();
    }

    @Override
    public int readWcFlags() {
        return cq.current().wcFlags();
    }

    @Override
    public int readByteLen() {
        return with(WcExFlags.BYTE_LEN).byteLen();
    }

    @Override
    public int readImmData() {
        return with(WcExFlags.IMM).immData();
    }

    @Override
    public int readInvalidatedRkey() {
        return with(WcExFlags.IMM).invalidatedRkey();
    }

    @Override
    public int readQpNum() {
        return with(WcExFlags.QP_NUM).qpNum();
    }

    @Override
    public int readSrcQp() {
        return with(WcExFlags.SRC_QP).srcQp();
    }

    @Override
    public int readSlid() {
        return with(WcExFlags.SLID).slid();
    }

    @Override
    public int readSl() {
        return with(WcExFlags.SL).sl();
    }

    @Override
    public int readDlidPathBits() {
        return with(WcExFlags.DLID_PATH_BITS).dlidPathBits();
    }

    @Override
    public long readCompletionTs() {
        return with(WcExFlags.COMPLETION_TIMESTAMP).completionTs();
    }

    @Override
    public void readTmInfo(WcTmInfo into) {
        WorkCompletion wc = with(WcExFlags.TM_INFO);
        into.tag(wc.tmTag()).priv(wc.tmPriv());
    }

    @Override
    public long readCompletionWallclockNs() {
        return with(WcExFlags.COMPLETION_TIMESTAMP_WALLCLOCK).completionWallclockNs();
    }
}
