/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import io.verbs4j.slot.ModifyCq;
import java.util.Objects;

/**
 * A completion queue.
 *
 * <p>Providers subclass it; {@link #poll} and {@link #reqNotify} are theirs, and go there without a step between. All
 * methods may be called from any thread. Source: {@code ibv_create_cq(3)}.
 */
public abstract class CompletionQueue extends VerbsObject {
    private final Object userContext;
    private final CompletionChannel channel;
    private final long wcFlags;
    private volatile int cqe;

    /**
     * Creates the handle; for providers.
     *
     * @param context context that the queue belongs to
     * @param cqe number of entries
     * @param userContext object of the application's, or null
     * @param channel channel for its events, or null
     */
    protected CompletionQueue(Context context, int cqe, Object userContext, CompletionChannel channel) {
        this(context, cqe, userContext, channel, 0);
    }

    /**
     * Creates the handle of an extended completion queue; for providers. Since level 3.
     *
     * @param context context that the queue belongs to
     * @param cqe number of entries
     * @param userContext object of the application's, or null
     * @param channel channel for its events, or null
     * @param wcFlags what is wanted of its completions, {@link WcExFlags} bits
     */
    protected CompletionQueue(Context context, int cqe, Object userContext, CompletionChannel channel, long wcFlags) {
        super(Objects.requireNonNull(context, "context"));
        this.cqe = cqe;
        this.userContext = userContext;
        this.channel = channel;
        this.wcFlags = wcFlags;
    }

    /**
     * Changes the number of entries that the handle tells, after {@link ContextOps#resizeCq}; for providers.
     *
     * @param newCqe number of entries
     */
    protected final void updateCqe(int newCqe) {
        cqe = newCqe;
    }

    /**
     * Object of the application's.
     *
     * @return the object given at creation, or null
     */
    public final Object userContext() {
        return userContext;
    }

    /**
     * The channel for the queue's events.
     *
     * @return the channel, or null
     */
    public final CompletionChannel channel() {
        return channel;
    }

    /**
     * How many entries the queue has.
     *
     * @return the number, at least what was asked for
     */
    public final int cqe() {
        return cqe;
    }

    /**
     * What is wanted of its completions. Since level 3.
     *
     * @return {@link WcExFlags} bits; 0 of a queue that is no extended one
     */
    public final long wcFlags() {
        return wcFlags;
    }

    /**
     * Takes completions off the queue. Neither throws nor allocates. Source: {@code ibv_poll_cq(3)}.
     *
     * <p>What came after level 1 is not filled: {@link WorkCompletion#compMask()} is 0 afterwards. (Providers of levels 1 and 2 leave it
     * as it was.)
     *
     * @param numEntries most completions to take, 0 to the length of {@code wc}
     * @param wc where they go, from index 0; the elements must not be null
     * @return how many were taken, 0 where the queue is empty; or the negative of an errno: {@link Errno#EINVAL} for bad
     *     arguments and after close, {@link Errno#EOVERFLOW} where the queue has overrun, {@link Errno#EBUSY} between
     *     {@link #startPoll(PollCqAttr)} and {@link #endPoll()}: at once for the thread that reads, after at most a second for others
     */
    public abstract int poll(int numEntries, WorkCompletion[] wc);

    /**
     * Takes completions off the queue, with what came after level 1: time stamps. A completion grows with the level of whoever reads it:
     * the provider fills what it has of the fields that the caller knows, and {@link WorkCompletion#compMask()} tells which those are.
     * Neither throws nor allocates. Since level 3. Source: {@code ibv_poll_cq(3)}; the form with a size is that of "Extending Verbs API"
     * (2015).
     *
     * @param numEntries most completions to take, 0 to the length of {@code wc}
     * @param wc where they go, from index 0; the elements must not be null
     * @param wcSize how many of these fields the caller knows: {@link WorkCompletion#SIZE}
     * @return as {@link #poll(int, WorkCompletion[])}; {@link Errno#EINVAL} also for a size below 0 or above {@link
     *     WorkCompletion#SIZE} of the header that is loaded, which is never older than the program's: such a size is
     *     another number, for instance {@code wc.length}
     */
    public final int poll(int numEntries, WorkCompletion[] wc, int wcSize) {
        if (wcSize < 0 || wcSize > WorkCompletion.SIZE) {
            return -Errno.EINVAL;
        }
        int n = pollEx(numEntries, wc, wcSize);
        if (n != -Errno.EOPNOTSUPP) {
            return n;
        }
        n = poll(numEntries, wc);
        for (int i = 0; i < n; i++) {
            wc[i].expect(0); // whoever does not know the fields leaves there what was there
        }
        return n;
    }

    /**
     * What {@link #poll(int, WorkCompletion[], int)} does; for providers. Calls {@link WorkCompletion#expect(int)} of each completion before
     * it fills it. Since level 3.
     *
     * @param numEntries most completions to take
     * @param wc where they go, from index 0
     * @param wcSize how many fields the caller knows
     * @return as {@link #poll(int, WorkCompletion[])}; minus {@link Errno#EOPNOTSUPP} where completions have nothing besides
     */
    protected int pollEx(int numEntries, WorkCompletion[] wc, int wcSize) {
        return -Errno.EOPNOTSUPP;
    }

    /**
     * Begins to read completions where they are, one by one: what is not read costs nothing. Where it answers 0 there is a current
     * completion, and the queue belongs to the thread till {@link #endPoll()}. Neither throws nor allocates. Since level 3. Source: {@code
     * ibv_start_poll}, {@code ibv_create_cq_ex(3)}.
     *
     * <p>Another thread that polls the queue, or begins to read it, waits until the first has ended, for one second at most, and then gets
     * {@link Errno#EBUSY}; it is never told that the queue is empty. {@link #close()} and {@link #resize(int)} fail with {@link Errno#EBUSY}
     * after at most that second. An interrupt does not shorten the wait, and the thread stays interrupted. So two threads that
     * each read a queue and wait for the other's both get {@link Errno#EBUSY}. A thread that has died reads no more: the next call of another
     * thread ends its reading.
     *
     * <p>A queue with {@link CqCreateFlags#SINGLE_THREADED} belongs to nobody in particular: whichever thread calls next goes on, also in
     * the midst of reading, so that a program may hand the queue from thread to thread. Until {@link #endPoll()} every thread gets {@link
     * Errno#EBUSY} from {@code poll} and {@code startPoll}, at once. The program sees to it that each call happens before the next.
     *
     * @param attr attributes, none of which are defined; or null
     * @return 0; {@link Errno#ENOENT} where the queue is empty; {@link Errno#EBUSY} where this thread has begun already, or another one
     *     reads and goes on for a second; {@link Errno#EOPNOTSUPP} where the queue is no extended one, or for a bit of the mask; {@link Errno#EINVAL} after close; {@link
     *     Errno#EOVERFLOW} where the queue has overrun. Where it is not 0, nothing has begun
     */
    public int startPoll(PollCqAttr attr) {
        return Errno.EOPNOTSUPP;
    }

    /**
     * Makes a reader: {@link #startPoll} to {@link #endPoll()} as a {@code try} block, which ends the reading however the block is left. Make one
     * and keep it, for each thread that reads. Every queue has readers; those of a queue that is no extended one fail when they start.
     * Since level 3.
     *
     * @return a reader of this queue
     */
    public final CompletionReader reader() {
        return new CompletionReader(this);
    }

    /**
     * Goes on to the next completion. Since level 3. Source: {@code ibv_next_poll}, {@code ibv_create_cq_ex(3)}.
     *
     * @return 0; {@link Errno#ENOENT} where there are no more: there is no current completion then, and {@link #endPoll()} is due;
     *     {@link Errno#EINVAL} where this thread has not begun
     */
    public int nextPoll() {
        return Errno.EOPNOTSUPP;
    }

    /**
     * Ends reading: gives the entries that were read back to the device. Since level 3. Source: {@code ibv_end_poll}, {@code
     * ibv_create_cq_ex(3)}.
     *
     * @return 0; {@link Errno#EINVAL} where this thread has not begun: nothing was done
     */
    public int endPoll() {
        return Errno.EOPNOTSUPP;
    }

    /**
     * Id that the work request of the current completion was posted with. Since level 3. Source: {@code struct
     * ibv_cq_ex}, {@code ibv_create_cq_ex(3)}.
     *
     * @return the value, till {@link #nextPoll()} or {@link #endPoll()}
     * @throws VerbsException {@link Errno#EINVAL} where there is no current completion
     */
    public long wrId() {
        throw notExtended();
    }

    /**
     * Outcome of the current completion, a {@link WcStatus} value. Where it is not {@link WcStatus#SUCCESS} only this, {@link #wrId()} and
     * {@link #readVendorErr()} count. Since level 3. Source: {@code struct ibv_cq_ex}, {@code ibv_create_cq_ex(3)}.
     *
     * @return the value, till {@link #nextPoll()} or {@link #endPoll()}
     * @throws VerbsException {@link Errno#EINVAL} where there is no current completion
     */
    public int status() {
        throw notExtended();
    }

    /**
     * What was done, a {@link WcOpcode} value. Since level 3. Source: {@code ibv_wc_read_opcode}, {@code
     * ibv_create_cq_ex(3)}.
     *
     * @return the value, till {@link #nextPoll()} or {@link #endPoll()}
     * @throws VerbsException {@link Errno#EINVAL} where there is no current completion
     */
    public int readOpcode() {
        throw notExtended();
    }

    /**
     * The vendor's error code. Since level 3. Source: {@code ibv_wc_read_vendor_err}, {@code ibv_create_cq_ex(3)}.
     *
     * @return the value, till {@link #nextPoll()} or {@link #endPoll()}
     * @throws VerbsException {@link Errno#EINVAL} where there is no current completion
     */
    public int readVendorErr() {
        throw notExtended();
    }

    /**
     * Bytes transferred, unsigned: a message may have 2<sup>31</sup> bytes. For a receive on UD the 40 bytes of the GRH
     * count too. Since level 3. Source: {@code ibv_wc_read_byte_len}, {@code ibv_create_cq_ex(3)}.
     *
     * @return the value, till {@link #nextPoll()} or {@link #endPoll()}
     * @throws VerbsException {@link Errno#EINVAL} where there is no current completion, and where the queue was made without
     *     {@link WcExFlags#BYTE_LEN}
     */
    public int readByteLen() {
        throw notExtended();
    }

    /**
     * Immediate data as a number, where {@link WcFlags#WITH_IMM} is set. Since level 3. Source: {@code
     * ibv_wc_read_imm_data}, {@code ibv_create_cq_ex(3)}.
     *
     * @return the value, till {@link #nextPoll()} or {@link #endPoll()}
     * @throws VerbsException {@link Errno#EINVAL} where there is no current completion, and where the queue was made without
     *     {@link WcExFlags#IMM}
     */
    public int readImmData() {
        throw notExtended();
    }

    /**
     * The remote key that was invalidated, where {@link WcFlags#WITH_INV} is set. Since level 3. Source: {@code
     * ibv_wc_read_invalidated_rkey}, {@code ibv_create_cq_ex(3)}.
     *
     * @return the value, till {@link #nextPoll()} or {@link #endPoll()}
     * @throws VerbsException {@link Errno#EINVAL} where there is no current completion, and where the queue was made without
     *     {@link WcExFlags#IMM}
     */
    public int readInvalidatedRkey() {
        throw notExtended();
    }

    /**
     * Number of the local queue pair. Since level 3. Source: {@code ibv_wc_read_qp_num}, {@code ibv_create_cq_ex(3)}.
     *
     * @return the value, till {@link #nextPoll()} or {@link #endPoll()}
     * @throws VerbsException {@link Errno#EINVAL} where there is no current completion, and where the queue was made without
     *     {@link WcExFlags#QP_NUM}
     */
    public int readQpNum() {
        throw notExtended();
    }

    /**
     * Number of the remote queue pair; UD only. Since level 3. Source: {@code ibv_wc_read_src_qp}, {@code
     * ibv_create_cq_ex(3)}.
     *
     * @return the value, till {@link #nextPoll()} or {@link #endPoll()}
     * @throws VerbsException {@link Errno#EINVAL} where there is no current completion, and where the queue was made without
     *     {@link WcExFlags#SRC_QP}
     */
    public int readSrcQp() {
        throw notExtended();
    }

    /**
     * {@link WcFlags} bits. Since level 3. Source: {@code ibv_wc_read_wc_flags}, {@code ibv_create_cq_ex(3)}.
     *
     * @return the value, till {@link #nextPoll()} or {@link #endPoll()}
     * @throws VerbsException {@link Errno#EINVAL} where there is no current completion
     */
    public int readWcFlags() {
        throw notExtended();
    }

    /**
     * Source LID; UD only, 0 on RoCE. Since level 3. Source: {@code ibv_wc_read_slid}, {@code ibv_create_cq_ex(3)}.
     *
     * @return the value, till {@link #nextPoll()} or {@link #endPoll()}
     * @throws VerbsException {@link Errno#EINVAL} where there is no current completion, and where the queue was made without
     *     {@link WcExFlags#SLID}
     */
    public int readSlid() {
        throw notExtended();
    }

    /**
     * Service level; UD only. Since level 3. Source: {@code ibv_wc_read_sl}, {@code ibv_create_cq_ex(3)}.
     *
     * @return the value, till {@link #nextPoll()} or {@link #endPoll()}
     * @throws VerbsException {@link Errno#EINVAL} where there is no current completion, and where the queue was made without
     *     {@link WcExFlags#SL}
     */
    public int readSl() {
        throw notExtended();
    }

    /**
     * Destination LID path bits; UD only, 0 on RoCE. Since level 3. Source: {@code ibv_wc_read_dlid_path_bits}, {@code
     * ibv_create_cq_ex(3)}.
     *
     * @return the value, till {@link #nextPoll()} or {@link #endPoll()}
     * @throws VerbsException {@link Errno#EINVAL} where there is no current completion, and where the queue was made without
     *     {@link WcExFlags#DLID_PATH_BITS}
     */
    public int readDlidPathBits() {
        throw notExtended();
    }

    /**
     * When it completed, in ticks of the device's clock: only the bits of {@link DeviceAttrEx#completionTimestampMask()} count, and
     * the difference of two is to be taken within them. Completions that failed have none. Since level 3. Source:
     * {@code ibv_wc_read_completion_ts}, {@code ibv_create_cq_ex(3)}.
     *
     * @return the value, till {@link #nextPoll()} or {@link #endPoll()}
     * @throws VerbsException {@link Errno#EINVAL} where there is no current completion, and where the queue was made without
     *     {@link WcExFlags#COMPLETION_TIMESTAMP}
     */
    public long readCompletionTs() {
        throw notExtended();
    }

    /**
     * When it completed, in nanoseconds since 1970. Completions that failed have no time. Since level 3. Source: {@code
     * ibv_wc_read_completion_wallclock_ns}, {@code ibv_create_cq_ex(3)}.
     *
     * @return the value, till {@link #nextPoll()} or {@link #endPoll()}
     * @throws VerbsException {@link Errno#EINVAL} where there is no current completion, and where the queue was made without
     *     {@link WcExFlags#COMPLETION_TIMESTAMP_WALLCLOCK}
     */
    public long readCompletionWallclockNs() {
        throw notExtended();
    }

    /**
     * The VLAN tag that was taken off a packet. Since level 4. Source: {@code ibv_wc_read_cvlan}, {@code ibv_create_cq_ex(3)}.
     *
     * @return the value, till {@link #nextPoll()} or {@link #endPoll()}; 0 of what is no received packet
     * @throws VerbsException {@link Errno#EINVAL} where there is no current completion, and where the queue was made without
     *     {@link WcExFlags#CVLAN}
     */
    public int readCvlan() {
        throw notExtended();
    }

    /**
     * The tag of the flow that a packet came by: {@link FlowSpecActionTag}. Since level 4. Source: {@code ibv_wc_read_flow_tag},
     * {@code ibv_create_cq_ex(3)}.
     *
     * @return the value, till {@link #nextPoll()} or {@link #endPoll()}; 0 of what is no received packet
     * @throws VerbsException {@link Errno#EINVAL} where there is no current completion, and where the queue was made without
     *     {@link WcExFlags#FLOW_TAG}
     */
    public int readFlowTag() {
        throw notExtended();
    }

    /**
     * Reads what the sender of a matched message has put into its header. Completions of other messages, and those that
     * failed, have none: all 0. Allocates nothing. Since level 4. Source: {@code ibv_wc_read_tm_info},
     * {@code ibv_create_cq_ex(3)}.
     *
     * @param into where to put it
     * @throws VerbsException {@link Errno#EINVAL} where there is no current completion, and where the queue was made
     *     without {@link WcExFlags#TM_INFO}
     */
    public void readTmInfo(WcTmInfo into) {
        throw notExtended();
    }

    private static VerbsException notExtended() {
        return new VerbsException(
                Errno.EOPNOTSUPP,
                "start_poll",
                "the queue is no extended one; create it by createCqEx of a provider that has it");
    }

    /**
     * Asks for one event at the next completion. Completions that are there already make none: poll once more after
     * this. Neither throws nor allocates. Source: {@code ibv_req_notify_cq(3)}.
     *
     * @param solicitedOnly whether only a completion of a solicited receive, or one that failed, makes the event
     * @return 0, or an errno: {@link Errno#EINVAL} after close
     */
    public abstract int reqNotify(boolean solicitedOnly);

    /**
     * Gives completion events back. Nothing waits for that: it is here for programs that were written for C's rule. Source:
     * {@code ibv_ack_cq_events(3)}.
     *
     * @param count how many, from 1 to as many as were got and not given back
     * @throws VerbsException {@link Errno#EINVAL} for more than that
     */
    public final void ackEvents(int count) {
        ops().ackCqEvents(this, count);
    }

    /**
     * Changes the size; the completions in the queue stay. Source: {@code ibv_resize_cq(3)}.
     *
     * @param newCqe least number of entries from now on, from 1
     * @throws VerbsException {@link Errno#EINVAL} where it is out of range or fewer than there are completions in the queue;
     *     {@link Errno#EOPNOTSUPP} where the device can't; {@link Errno#ENOMEM} where there is no memory for it; {@link Errno#EBUSY} between {@link #startPoll(PollCqAttr)} and {@link
     *     #endPoll()}
     */
    public final void resize(int newCqe) {
        ops().resizeCq(this, newCqe);
    }

    /**
     * Changes how the queue makes events. Since level 3. Source: {@code ibv_modify_cq(3)}.
     *
     * @param attr what to change
     * @throws VerbsException {@link Errno#ENOSYS} where the library is older than level 3; {@link Errno#EOPNOTSUPP} where the provider
     *     does not have the verb, and for a bit of the mask that is not known; {@link Errno#EINVAL} for a number out of range, as {@link
     *     DeviceAttrEx#cqModerationMaxCqCount()} and {@link DeviceAttrEx#cqModerationMaxCqPeriod()} tell
     */
    public final void modify(ModifyCqAttr attr) {
        Extension.require(context(), ContextSlot.MODIFY_CQ, ModifyCq.class).modifyCq(this, attr);
    }

    /**
     * Destroys the queue. Unlike in C it does not wait for events: those that were handed out are forgotten. Source: {@code
     * ibv_destroy_cq(3)}.
     *
     * @throws VerbsException {@link Errno#EBUSY} while queue pairs refer to it, and between {@link #startPoll(PollCqAttr)} and {@link
     *     #endPoll()}
     */
    @Override
    public final void close() {
        ops().destroyCq(this);
    }

    @Override
    public final String toString() {
        return "completion queue of " + cqe + " entries of " + context().device();
    }
}
