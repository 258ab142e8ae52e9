/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.PollCqAttr;
import io.verbs4j.VerbsException;
import io.verbs4j.WcExFlags;
import io.verbs4j.WcTmInfo;
import io.verbs4j.WorkCompletion;
import io.verbs4j.rdmacore.flight.FailedRequests;

/** A completion queue of a native device. */
public class NativeCompletionQueue extends CompletionQueue {
    /** The {@code struct ibv_cq}. */
    public final IbvCq ibv;

    private final CqReader reader; // null if completions cannot be read in place
    private final boolean matchesTags;

    /** Creates the handle of a {@code struct ibv_cq}. */
    public NativeCompletionQueue(Context context, Object userContext, CompletionChannel channel, IbvCq ibv) {
        this(context, userContext, channel, ibv, 0, null);
    }

    /**
     * Creates the handle of an extended queue.
     *
     * @param wcFlags requested fields of its completions, {@link WcExFlags} bits
     * @param reader reads completions in place; null if that is not supported
     */
    public NativeCompletionQueue(
            Context context, Object userContext, CompletionChannel channel, IbvCq ibv, long wcFlags, CqReader reader) {
        super(context, ibv.cqe(), userContext, channel, wcFlags);
        this.ibv = ibv;
        this.reader = reader;
        this.matchesTags = reader != null && (wcFlags & WcExFlags.TM_INFO) != 0;
        ibv.tellSize(this::updateCqe);
    }

    @Override
    public int poll(int numEntries, WorkCompletion[] wc) {
        // libmlx5's poll_cq does not handle completions of tag matching.
        return FailedRequests.polled(this, wc, matchesTags ? reader.poll(numEntries, wc, 0) : ibv.poll(numEntries, wc));
    }

    @Override
    public int reqNotify(boolean solicitedOnly) {
        return ibv.reqNotify(solicitedOnly);
    }

    @Override
    protected int pollEx(int numEntries, WorkCompletion[] wc, int wcSize) {
        return reader == null
                ? -Errno.EOPNOTSUPP
                : FailedRequests.polled(this, wc, reader.poll(numEntries, wc, wcSize));
    }

    @Override
    public int startPoll(PollCqAttr attr) {
        return reader == null ? Errno.EOPNOTSUPP : told(reader.startPoll(attr));
    }

    @Override
    public int nextPoll() {
        return reader == null ? Errno.EOPNOTSUPP : told(reader.nextPoll());
    }

    /** Records the new current completion if it failed, whatever fields were requested. */
    private int told(int answer) {
        if (answer == 0 && reader.hasFailed()) {
            FailedRequests.failed(this, reader.qpNum(), reader.wrId(), status());
        }
        return answer;
    }

    @Override
    public int endPoll() {
        return reader == null ? Errno.EOPNOTSUPP : reader.endPoll();
    }

    /** Returns the reader; rejects fields that were not requested, even if the driver could return them. */
    private CqReader reading(long wanted) {
        if (reader == null) {
            super.status(); // throws, with the reason
        }
        if ((wcFlags() & wanted) != wanted) {
            throw new VerbsException(
                    Errno.EINVAL,
                    "start_poll",
                    "the queue was made without " + WcExFlags.toString(wanted) + "; set it in wcFlags");
        }
        return reader;
    }

    @Override
    public long wrId() {
        return reading(0).wrId();
    }

    @Override
    public int status() {
        return reading(0).status();
    }

    @Override
    public int readOpcode() {
        return reading(0).opcode();
    }

    @Override
    public int readVendorErr() {
        return reading(0).vendorErr();
    }

    @Override
    public int readByteLen() {
        return reading(WcExFlags.BYTE_LEN).byteLen();
    }

    @Override
    public int readImmData() {
        return reading(WcExFlags.IMM).immData();
    }

    @Override
    public int readInvalidatedRkey() {
        return reading(WcExFlags.IMM).immData();
    }

    @Override
    public int readQpNum() {
        return reading(WcExFlags.QP_NUM).qpNum();
    }

    @Override
    public int readSrcQp() {
        return reading(WcExFlags.SRC_QP).srcQp();
    }

    @Override
    public int readWcFlags() {
        return reading(0).wcFlags();
    }

    @Override
    public int readSlid() {
        return reading(WcExFlags.SLID).slid();
    }

    @Override
    public int readSl() {
        return reading(WcExFlags.SL).sl();
    }

    @Override
    public int readDlidPathBits() {
        return reading(WcExFlags.DLID_PATH_BITS).dlidPathBits();
    }

    @Override
    public long readCompletionTs() {
        return reading(WcExFlags.COMPLETION_TIMESTAMP).completionTs();
    }

    @Override
    public void readTmInfo(WcTmInfo into) {
        reading(WcExFlags.TM_INFO).tmInfo(into);
    }

    @Override
    public long readCompletionWallclockNs() {
        return reading(WcExFlags.COMPLETION_TIMESTAMP_WALLCLOCK).completionWallclockNs();
    }

    @Override
    public int readCvlan() {
        return reading(WcExFlags.CVLAN).cvlan();
    }

    @Override
    public int readFlowTag() {
        return reading(WcExFlags.FLOW_TAG).flowTag();
    }
}
