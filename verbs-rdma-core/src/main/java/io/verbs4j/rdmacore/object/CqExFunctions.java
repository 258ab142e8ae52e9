/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.WcExFlags;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.layout.CqExLayout;
import io.verbs4j.rdmacore.layout.WcTmInfoLayout;
import io.verbs4j.rdmacore.marshal.Completions;
import io.verbs4j.rdmacore.quirk.TickClock;

/**
 * The functions in a {@code struct ibv_cq_ex}, and its current completion. Which functions exist depends on the queue's
 * creation flags, and their addresses differ between queues, so each queue's are read. Callers ensure that there is a
 * current completion.
 */
final class CqExFunctions {
    private static final boolean AARCH64 = "aarch64".equals(System.getProperty("os.arch"));

    /** Offset of all members on aarch64, where {@code struct ibv_cq} is larger. */
    private static final int SHIFT = AARCH64 ? CqExLayout.STATUS_AARCH64 - CqExLayout.STATUS : 0;

    private static final int BYTE = 0xff;
    private static final int SHORT = 0xffff;
    private static final int MATCHED = WcFlags.TM_MATCH | WcFlags.TM_DATA_VALID;

    private final long cq;
    private final int strangers;
    private final long struct;
    private final long noAttributes = NativeMemory.allocate(Long.BYTES);
    private final TickClock clock;
    private final boolean hasTicks;
    private final boolean hasTime;
    private final NativeFunction start;
    private final NativeFunction next;
    private final NativeFunction end;
    private final NativeFunction opcode;
    private final NativeFunction vendorErr;
    private final NativeFunction byteLen;
    private final NativeFunction immData;
    private final NativeFunction qpNum;
    private final NativeFunction srcQp;
    private final NativeFunction wcFlags;
    private final NativeFunction slid;
    private final NativeFunction sl;
    private final NativeFunction dlidPathBits;
    private final NativeFunction ticks;
    private final NativeFunction time;
    private final NativeFunction cvlan; // null unless requested; likewise the flow tag
    private final NativeFunction flowTag;

    /** Null if no tags are matched. */
    private final NativeFunction tmInfo;

    /** The address that it writes to. */
    private final long tmInfoArea;

    /**
     * Reads the functions of a queue that was created for {@link WcExFlags#STANDARD} and the requested fields.
     *
     * @param clock converts ticks to time; null if the driver does
     * @param strangers {@link io.verbs4j.rdmacore.quirk.Quirks#mostStrangers}
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if the driver lacks a function
     */
    CqExFunctions(long cq, long wanted, TickClock clock, int strangers) {
        this.cq = cq;
        this.strangers = strangers;
        this.clock = clock;
        struct = cq + SHIFT;
        hasTicks = (wanted & WcExFlags.COMPLETION_TIMESTAMP) != 0;
        hasTime = (wanted & WcExFlags.COMPLETION_TIMESTAMP_WALLCLOCK) != 0;
        start = at(CqExLayout.START_POLL);
        next = at(CqExLayout.NEXT_POLL);
        end = at(CqExLayout.END_POLL);
        opcode = at(CqExLayout.READ_OPCODE);
        vendorErr = at(CqExLayout.READ_VENDOR_ERR);
        byteLen = at(CqExLayout.READ_BYTE_LEN);
        immData = at(CqExLayout.READ_IMM_DATA);
        qpNum = at(CqExLayout.READ_QP_NUM);
        srcQp = at(CqExLayout.READ_SRC_QP);
        wcFlags = at(CqExLayout.READ_WC_FLAGS);
        slid = at(CqExLayout.READ_SLID);
        sl = at(CqExLayout.READ_SL);
        dlidPathBits = at(CqExLayout.READ_DLID_PATH_BITS);
        ticks = hasTicks || clock != null ? at(CqExLayout.READ_COMPLETION_TS) : null;
        time = hasTime && clock == null ? at(CqExLayout.READ_COMPLETION_WALLCLOCK_NS) : null;
        cvlan = (wanted & WcExFlags.CVLAN) != 0 ? at(CqExLayout.READ_CVLAN) : null;
        flowTag = (wanted & WcExFlags.FLOW_TAG) != 0 ? at(CqExLayout.READ_FLOW_TAG) : null;
        tmInfo = (wanted & WcExFlags.TM_INFO) != 0 ? at(CqExLayout.READ_TM_INFO) : null;
        tmInfoArea = tmInfo == null ? 0 : NativeMemory.allocate(WcTmInfoLayout.SIZEOF);
    }

    /** Returns the fields to request from the driver: all that {@link #read} reads, whatever the program requested. */
    static long flagsFor(long wanted, boolean ownClock) {
        long flags = wanted | WcExFlags.STANDARD;
        return ownClock ? flags & ~WcExFlags.COMPLETION_TIMESTAMP_WALLCLOCK | WcExFlags.COMPLETION_TIMESTAMP : flags;
    }

    private NativeFunction at(int offset) {
        long address = NativeMemory.getLong(struct + offset);
        if (address == 0) {
            free();
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    "create_cq_ex",
                    "the driver has no function at offset " + offset + " of struct ibv_cq_ex, where it must have one");
        }
        return NativeFunction.data(address);
    }

    /** Frees the memory kept beside the queue. */
    void free() {
        NativeMemory.free(noAttributes);
        if (tmInfoArea != 0) {
            NativeMemory.free(tmInfoArea);
        }
        if (clock != null) {
            clock.free();
        }
    }

    /** {@return whether completions have fields that {@code poll_cq} lacks: a time, packet fields or a tag} */
    boolean hasMore() {
        return hasTicks || hasTime || cvlan != null || flowTag != null || tmInfo != null;
    }

    boolean matchesTags() {
        return tmInfo != null;
    }

    /** {@return whether the current completion is that of a matched message; others have no tag header} */
    boolean hasTag() {
        return tmInfo != null
                && !hasFailed()
                && opcode() == WcOpcode.TM_RECV
                && ((int) wcFlags.call(cq) & MATCHED) != 0;
    }

    /** Reads the header, for {@link #tag} and {@link #priv}. */
    void readTag() {
        tmInfo.call(cq, tmInfoArea);
    }

    long tag() {
        return NativeMemory.getLong(tmInfoArea + WcTmInfoLayout.TAG);
    }

    int priv() {
        return NativeMemory.getInt(tmInfoArea + WcTmInfoLayout.PRIV);
    }

    /**
     * {@code ibv_start_poll}: returns 0, an errno or a negative number. Refreshes the clock first, as the driver would.
     */
    int start() {
        if (clock != null) {
            clock.refresh();
        }
        int answer = (int) start.call(cq, noAttributes);
        for (int i = 0; answer == Errno.EINVAL && i < strangers; i++) {
            answer = (int) start.call(cq, noAttributes);
        }
        return answer;
    }

    /** {@code ibv_next_poll}. */
    int next() {
        int answer = (int) next.call(cq);
        for (int i = 0; answer == Errno.EINVAL && i < strangers; i++) {
            answer = (int) next.call(cq);
        }
        return answer;
    }

    /** {@code ibv_end_poll}. */
    void end() {
        end.call(cq);
    }

    long wrId() {
        return NativeMemory.getLong(struct + CqExLayout.WR_ID);
    }

    int status() {
        return NativeMemory.getInt(struct + CqExLayout.STATUS);
    }

    boolean hasFailed() {
        return status() != WcStatus.SUCCESS;
    }

    int opcode() {
        return (int) opcode.call(cq);
    }

    /** The vendor error; 0 for success, as drivers read it from unrelated data then. */
    int vendorErr() {
        return hasFailed() ? (int) vendorErr.call(cq) : 0;
    }

    int byteLen() {
        return (int) byteLen.call(cq);
    }

    int immData() {
        return Completions.word((int) immData.call(cq), (int) wcFlags.call(cq));
    }

    int qpNum() {
        return (int) qpNum.call(cq);
    }

    int srcQp() {
        return (int) srcQp.call(cq);
    }

    /** The flags; 0 for a send, as drivers read them from unrelated data then. */
    int wcFlags() {
        return Completions.isReceive(opcode()) ? (int) wcFlags.call(cq) : 0;
    }

    int slid() {
        return (int) slid.call(cq);
    }

    int sl() {
        return (int) sl.call(cq) & BYTE;
    }

    int dlidPathBits() {
        return (int) dlidPathBits.call(cq) & BYTE;
    }

    /** The ticks; 0 for a failure, whose error occupies that place. Likewise the time. */
    long ticks() {
        return hasFailed() ? 0 : ticks.call(cq);
    }

    long time() {
        if (hasFailed()) {
            return 0;
        }
        return clock == null ? time.call(cq) : clock.toNanos(ticks.call(cq));
    }

    /** The VLAN tag; 0 unless it is a successful receive. Likewise the flow tag. */
    int cvlan() {
        return isReceived() ? (int) cvlan.call(cq) & SHORT : 0;
    }

    int flowTag() {
        return isReceived() ? (int) flowTag.call(cq) : 0;
    }

    private boolean isReceived() {
        return !hasFailed() && Completions.isReceive(opcode());
    }

    /** Reads all valid fields of the current completion. */
    WorkCompletion read(WorkCompletion to) {
        to.wrId(wrId()).status(status()).qpNum(qpNum()).vendorErr(vendorErr()).pkeyIndex(0);
        if (hasFailed()) {
            return to.wcFlags(0);
        }
        int operation = opcode();
        boolean receive = Completions.isReceive(operation);
        to.opcode(operation).byteLen(byteLen()).wcFlags(receive ? (int) wcFlags.call(cq) : 0);
        if (receive) {
            to.immData(Completions.word((int) immData.call(cq), to.wcFlags()))
                    .srcQp(srcQp())
                    .slid(slid())
                    .sl(sl())
                    .dlidPathBits(dlidPathBits());
        }
        if (cvlan != null) {
            to.cvlan(cvlan());
        }
        if (flowTag != null) {
            to.flowTag(flowTag());
        }
        if (hasTag()) {
            readTag();
            to.tmTag(tag()).tmPriv(priv());
        }
        if (hasTicks) {
            to.completionTs(ticks());
        }
        return hasTime ? to.completionWallclockNs(time()) : to;
    }
}
