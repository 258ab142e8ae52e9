/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import io.verbs4j.slot.ModifyCq;
import java.util.Objects;

/**
 * A completion queue.
 *
 * <p>Providers subclass it and implement {@link #poll} and {@link #reqNotify}, so these calls reach the provider
 * directly. All methods may be called from any thread. Source: {@code ibv_create_cq(3)}.
 */
// More than 30 public methods because each verb and each field of an extended completion is one, and the API is frozen.
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
     * @param userContext application object, or null
     * @param channel channel that receives its events, or null
     */
    protected CompletionQueue(Context context, int cqe, Object userContext, CompletionChannel channel) {
        this(context, cqe, userContext, channel, 0);
    }

    /**
     * Creates the handle of an extended completion queue; for providers. Since level 3.
     *
     * @param context context that the queue belongs to
     * @param cqe number of entries
     * @param userContext application object, or null
     * @param channel channel that receives its events, or null
     * @param wcFlags fields that its completions carry, {@link WcExFlags} bits
     */
    protected CompletionQueue(Context context, int cqe, Object userContext, CompletionChannel channel, long wcFlags) {
        super(Objects.requireNonNull(context, "context"));
        this.cqe = cqe;
        this.userContext = userContext;
        this.channel = channel;
        this.wcFlags = wcFlags;
    }

    /**
     * Updates the number of entries that the handle reports, after {@link ContextOps#resizeCq}; for providers.
     *
     * @param newCqe number of entries
     */
    protected final void updateCqe(int newCqe) {
        cqe = newCqe;
    }

    /** {@return the application object given at creation, or null} */
    public final Object userContext() {
        return userContext;
    }

    /** {@return the channel that receives the queue's events, or null} */
    public final CompletionChannel channel() {
        return channel;
    }

    /** {@return the number of entries, at least as many as were requested} */
    public final int cqe() {
        return cqe;
    }

    /**
     * {@return the fields that its completions carry, {@link WcExFlags} bits; 0 unless the queue is an extended one}
     * Since level 3.
     */
    public final long wcFlags() {
        return wcFlags;
    }

    /**
     * Removes completions from the queue. Neither throws nor allocates. Source: {@code ibv_poll_cq(3)}.
     *
     * <p>Fields added after level 1 are not filled: {@link WorkCompletion#compMask()} is 0 afterwards. (Providers of
     * levels 1 and 2 leave the mask unchanged.)
     *
     * @param numEntries maximum number of completions to remove, 0 to the length of {@code wc}
     * @param wc receives the completions, from index 0; the elements must not be null
     * @return the number of completions removed, 0 if the queue is empty; or the negative of an errno:
     *     {@link Errno#EINVAL} for bad arguments and after close, {@link Errno#EOVERFLOW} if the queue has overrun,
     *     {@link Errno#EBUSY} between {@link #startPoll(PollCqAttr)} and {@link #endPoll()}: at once for the thread
     *     that is reading, after at most a second for others
     */
    public abstract int poll(int numEntries, WorkCompletion[] wc);

    /**
     * Removes completions from the queue and fills fields added after level 1 too, for instance time stamps. Neither
     * throws nor allocates. Since level 3. Source: {@code ibv_poll_cq(3)}; the form with a size follows "Extending
     * Verbs API" (2015).
     *
     * <p>A completion grows with the level of the caller: the provider fills those fields that both it and the caller
     * know, and {@link WorkCompletion#compMask()} reports which.
     *
     * @param numEntries maximum number of completions to remove, 0 to the length of {@code wc}
     * @param wc receives the completions, from index 0; the elements must not be null
     * @param wcSize number of later fields that the caller knows: {@link WorkCompletion#SIZE}
     * @return as {@link #poll(int, WorkCompletion[])}; also {@link Errno#EINVAL} for a size below 0 or above
     *     {@link WorkCompletion#SIZE} of the loaded header. The loaded header is never older than the program's, so
     *     such a size is some other number, for instance {@code wc.length}
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
            wc[i].expect(0); // a provider that does not know the fields leaves old values there
        }
        return n;
    }

    /**
     * Implements {@link #poll(int, WorkCompletion[], int)}; for providers. An implementation calls
     * {@link WorkCompletion#expect(int)} on each completion before it fills it. Since level 3.
     *
     * @param numEntries maximum number of completions to remove
     * @param wc receives the completions, from index 0
     * @param wcSize number of later fields that the caller knows
     * @return as {@link #poll(int, WorkCompletion[])}; minus {@link Errno#EOPNOTSUPP} if the provider fills no later
     *     fields
     */
    protected int pollEx(int numEntries, WorkCompletion[] wc, int wcSize) {
        return -Errno.EOPNOTSUPP;
    }

    /**
     * Starts to read completions in place, one at a time; fields that are not read cost nothing. If it returns 0, there
     * is a current completion and the queue belongs to this thread until {@link #endPoll()}. Neither throws nor
     * allocates. Since level 3. Source: {@code ibv_start_poll}, {@code ibv_create_cq_ex(3)}.
     *
     * <p>Another thread that polls the queue or starts to read it waits until the first has finished, but for at most
     * one second, and then gets {@link Errno#EBUSY}; it is never told that the queue is empty. {@link #close()} and
     * {@link #resize(int)} fail with {@link Errno#EBUSY} after at most the same second. An interrupt does not shorten
     * the wait, and the thread stays interrupted. Two threads that each read one queue and wait for the other's
     * therefore both get {@link Errno#EBUSY}. If the reading thread dies, the next call of another thread ends its
     * reading.
     *
     * <p>A queue with {@link CqCreateFlags#SINGLE_THREADED} belongs to no particular thread: whichever thread calls
     * next continues, even in the middle of reading, so a program may pass the queue from thread to thread. Until
     * {@link #endPoll()}, {@code poll} and {@code startPoll} return {@link Errno#EBUSY} to every thread at once. The
     * program must ensure that each call happens before the next.
     *
     * @param attr attributes, none of which are defined yet; or null
     * @return 0; {@link Errno#ENOENT} if the queue is empty; {@link Errno#EBUSY} if this thread is reading already, or
     *     another thread goes on reading for a second; {@link Errno#EOPNOTSUPP} if the queue is not an extended one, or
     *     for any bit of the mask; {@link Errno#EINVAL} after close; {@link Errno#EOVERFLOW} if the queue has overrun.
     *     Unless it returns 0, reading has not started
     */
    public int startPoll(PollCqAttr attr) {
        return Errno.EOPNOTSUPP;
    }

    /**
     * Creates a reader, which wraps {@link #startPoll} to {@link #endPoll()} in a {@code try} block and ends the
     * reading however the block is left. Create one for each thread that reads, and keep it. Every queue has readers;
     * those of a queue that is not an extended one fail when started. Since level 3.
     *
     * @return a reader of this queue
     */
    public final CompletionReader reader() {
        return new CompletionReader(this);
    }

    /**
     * Moves to the next completion. Since level 3. Source: {@code ibv_next_poll}, {@code ibv_create_cq_ex(3)}.
     *
     * @return 0; {@link Errno#ENOENT} if there are no more: then there is no current completion, and {@link #endPoll()}
     *     must be called; {@link Errno#EINVAL} if this thread is not reading
     */
    public int nextPoll() {
        return Errno.EOPNOTSUPP;
    }

    /**
     * Ends reading and gives the entries that were read back to the device. Since level 3. Source:
     * {@code ibv_end_poll}, {@code ibv_create_cq_ex(3)}.
     *
     * @return 0; {@link Errno#EINVAL} if this thread is not reading: nothing was done
     */
    public int endPoll() {
        return Errno.EOPNOTSUPP;
    }

    /**
     * Returns the id that the work request of the current completion was posted with. Since level 3. Source:
     * {@code struct ibv_cq_ex}, {@code ibv_create_cq_ex(3)}.
     *
     * @return the value; valid until {@link #nextPoll()} or {@link #endPoll()}
     * @throws VerbsException {@link Errno#EINVAL} if there is no current completion
     */
    public long wrId() {
        throw notExtended();
    }

    /**
     * Returns the outcome of the current completion, a {@link WcStatus} value. Unless it is {@link WcStatus#SUCCESS},
     * only the status, {@link #wrId()} and {@link #readVendorErr()} are valid. Since level 3. Source:
     * {@code struct ibv_cq_ex}, {@code ibv_create_cq_ex(3)}.
     *
     * @return the value; valid until {@link #nextPoll()} or {@link #endPoll()}
     * @throws VerbsException {@link Errno#EINVAL} if there is no current completion
     */
    public int status() {
        throw notExtended();
    }

    /**
     * Returns the operation that completed, a {@link WcOpcode} value. Since level 3. Source:
     * {@code ibv_wc_read_opcode}, {@code ibv_create_cq_ex(3)}.
     *
     * @return the value; valid until {@link #nextPoll()} or {@link #endPoll()}
     * @throws VerbsException {@link Errno#EINVAL} if there is no current completion
     */
    public int readOpcode() {
        throw notExtended();
    }

    /**
     * Returns the vendor's error code. Since level 3. Source: {@code ibv_wc_read_vendor_err},
     * {@code ibv_create_cq_ex(3)}.
     *
     * @return the value; valid until {@link #nextPoll()} or {@link #endPoll()}
     * @throws VerbsException {@link Errno#EINVAL} if there is no current completion
     */
    public int readVendorErr() {
        throw notExtended();
    }

    /**
     * Returns the number of bytes transferred, unsigned: a message may have 2<sup>31</sup> bytes. A receive on UD
     * includes the 40 bytes of the GRH. Since level 3. Source: {@code ibv_wc_read_byte_len},
     * {@code ibv_create_cq_ex(3)}.
     *
     * @return the value; valid until {@link #nextPoll()} or {@link #endPoll()}
     * @throws VerbsException {@link Errno#EINVAL} if there is no current completion, or the queue was created without
     *     {@link WcExFlags#BYTE_LEN}
     */
    public int readByteLen() {
        throw notExtended();
    }

    /**
     * Returns the immediate data as a number; valid if {@link WcFlags#WITH_IMM} is set. Since level 3. Source:
     * {@code ibv_wc_read_imm_data}, {@code ibv_create_cq_ex(3)}.
     *
     * @return the value; valid until {@link #nextPoll()} or {@link #endPoll()}
     * @throws VerbsException {@link Errno#EINVAL} if there is no current completion, or the queue was created without
     *     {@link WcExFlags#IMM}
     */
    public int readImmData() {
        throw notExtended();
    }

    /**
     * Returns the remote key that was invalidated; valid if {@link WcFlags#WITH_INV} is set. Since level 3. Source:
     * {@code ibv_wc_read_invalidated_rkey}, {@code ibv_create_cq_ex(3)}.
     *
     * @return the value; valid until {@link #nextPoll()} or {@link #endPoll()}
     * @throws VerbsException {@link Errno#EINVAL} if there is no current completion, or the queue was created without
     *     {@link WcExFlags#IMM}
     */
    public int readInvalidatedRkey() {
        throw notExtended();
    }

    /**
     * Returns the number of the local queue pair. Since level 3. Source: {@code ibv_wc_read_qp_num},
     * {@code ibv_create_cq_ex(3)}.
     *
     * @return the value; valid until {@link #nextPoll()} or {@link #endPoll()}
     * @throws VerbsException {@link Errno#EINVAL} if there is no current completion, or the queue was created without
     *     {@link WcExFlags#QP_NUM}
     */
    public int readQpNum() {
        throw notExtended();
    }

    /**
     * Returns the number of the remote queue pair; UD only. Since level 3. Source: {@code ibv_wc_read_src_qp},
     * {@code ibv_create_cq_ex(3)}.
     *
     * @return the value; valid until {@link #nextPoll()} or {@link #endPoll()}
     * @throws VerbsException {@link Errno#EINVAL} if there is no current completion, or the queue was created without
     *     {@link WcExFlags#SRC_QP}
     */
    public int readSrcQp() {
        throw notExtended();
    }

    /**
     * Returns the {@link WcFlags} bits. Since level 3. Source: {@code ibv_wc_read_wc_flags},
     * {@code ibv_create_cq_ex(3)}.
     *
     * @return the value; valid until {@link #nextPoll()} or {@link #endPoll()}
     * @throws VerbsException {@link Errno#EINVAL} if there is no current completion
     */
    public int readWcFlags() {
        throw notExtended();
    }

    /**
     * Returns the source LID; UD only, 0 on RoCE. Since level 3. Source: {@code ibv_wc_read_slid},
     * {@code ibv_create_cq_ex(3)}.
     *
     * @return the value; valid until {@link #nextPoll()} or {@link #endPoll()}
     * @throws VerbsException {@link Errno#EINVAL} if there is no current completion, or the queue was created without
     *     {@link WcExFlags#SLID}
     */
    public int readSlid() {
        throw notExtended();
    }

    /**
     * Returns the service level; UD only. Since level 3. Source: {@code ibv_wc_read_sl}, {@code ibv_create_cq_ex(3)}.
     *
     * @return the value; valid until {@link #nextPoll()} or {@link #endPoll()}
     * @throws VerbsException {@link Errno#EINVAL} if there is no current completion, or the queue was created without
     *     {@link WcExFlags#SL}
     */
    public int readSl() {
        throw notExtended();
    }

    /**
     * Returns the path bits of the destination LID; UD only, 0 on RoCE. Since level 3. Source:
     * {@code ibv_wc_read_dlid_path_bits}, {@code ibv_create_cq_ex(3)}.
     *
     * @return the value; valid until {@link #nextPoll()} or {@link #endPoll()}
     * @throws VerbsException {@link Errno#EINVAL} if there is no current completion, or the queue was created without
     *     {@link WcExFlags#DLID_PATH_BITS}
     */
    public int readDlidPathBits() {
        throw notExtended();
    }

    /**
     * Returns when the request completed, in ticks of the device's clock. Only the bits of
     * {@link DeviceAttrEx#completionTimestampMask()} are valid; mask the difference of two time stamps with them.
     * Failed completions have no time stamp. Since level 3. Source: {@code ibv_wc_read_completion_ts},
     * {@code ibv_create_cq_ex(3)}.
     *
     * @return the value; valid until {@link #nextPoll()} or {@link #endPoll()}
     * @throws VerbsException {@link Errno#EINVAL} if there is no current completion, or the queue was created without
     *     {@link WcExFlags#COMPLETION_TIMESTAMP}
     */
    public long readCompletionTs() {
        throw notExtended();
    }

    /**
     * Returns when the request completed, in nanoseconds since 1970. Failed completions have no time. Since level 3.
     * Source: {@code ibv_wc_read_completion_wallclock_ns}, {@code ibv_create_cq_ex(3)}.
     *
     * @return the value; valid until {@link #nextPoll()} or {@link #endPoll()}
     * @throws VerbsException {@link Errno#EINVAL} if there is no current completion, or the queue was created without
     *     {@link WcExFlags#COMPLETION_TIMESTAMP_WALLCLOCK}
     */
    public long readCompletionWallclockNs() {
        throw notExtended();
    }

    /**
     * Returns the VLAN tag that was stripped from a packet. Since level 4. Source: {@code ibv_wc_read_cvlan},
     * {@code ibv_create_cq_ex(3)}.
     *
     * @return the value; valid until {@link #nextPoll()} or {@link #endPoll()}; 0 if the completion is not for a
     *     received packet
     * @throws VerbsException {@link Errno#EINVAL} if there is no current completion, or the queue was created without
     *     {@link WcExFlags#CVLAN}
     */
    public int readCvlan() {
        throw notExtended();
    }

    /**
     * Returns the tag of the flow that steered a packet, see {@link FlowSpecActionTag}. Since level 4. Source:
     * {@code ibv_wc_read_flow_tag}, {@code ibv_create_cq_ex(3)}.
     *
     * @return the value; valid until {@link #nextPoll()} or {@link #endPoll()}; 0 if the completion is not for a
     *     received packet
     * @throws VerbsException {@link Errno#EINVAL} if there is no current completion, or the queue was created without
     *     {@link WcExFlags#FLOW_TAG}
     */
    public int readFlowTag() {
        throw notExtended();
    }

    /**
     * Reads what the sender of a matched message put into its tag-matching header. For other messages and failed
     * completions all fields are 0. Allocates nothing. Since level 4. Source: {@code ibv_wc_read_tm_info},
     * {@code ibv_create_cq_ex(3)}.
     *
     * @param into receives the values
     * @throws VerbsException {@link Errno#EINVAL} if there is no current completion, or the queue was created without
     *     {@link WcExFlags#TM_INFO}
     */
    public void readTmInfo(WcTmInfo into) {
        throw notExtended();
    }

    private static VerbsException notExtended() {
        return new VerbsException(
                Errno.EOPNOTSUPP,
                "start_poll",
                "this is not an extended queue; create it by createCqEx, with a provider that supports that");
    }

    /**
     * Requests one event for the next completion. Completions already in the queue cause none, so poll once more after
     * this call. Neither throws nor allocates. Source: {@code ibv_req_notify_cq(3)}.
     *
     * @param solicitedOnly whether only a solicited receive or a failed completion causes the event
     * @return 0, or an errno: {@link Errno#EINVAL} after close
     */
    public abstract int reqNotify(boolean solicitedOnly);

    /**
     * Acknowledges completion events. Nothing waits for this: the method serves programs written for C's rule. Source:
     * {@code ibv_ack_cq_events(3)}.
     *
     * @param count number of events, from 1 to the number received and not yet acknowledged
     * @throws VerbsException {@link Errno#EINVAL} if {@code count} is out of this range
     */
    public final void ackEvents(int count) {
        ops().ackCqEvents(this, count);
    }

    /**
     * Changes the size; the completions in the queue stay. Source: {@code ibv_resize_cq(3)}.
     *
     * @param newCqe minimum number of entries from now on, from 1
     * @throws VerbsException {@link Errno#EINVAL} if it is out of range or less than the number of completions in the
     *     queue; {@link Errno#EOPNOTSUPP} if the device does not support it; {@link Errno#ENOMEM} if there is not
     *     enough memory; {@link Errno#EBUSY} between {@link #startPoll(PollCqAttr)} and {@link #endPoll()}
     */
    public final void resize(int newCqe) {
        ops().resizeCq(this, newCqe);
    }

    /**
     * Changes how the queue generates events. Since level 3. Source: {@code ibv_modify_cq(3)}.
     *
     * @param attr what to change
     * @throws VerbsException {@link Errno#ENOSYS} if the library is older than level 3; {@link Errno#EOPNOTSUPP} if the
     *     provider does not have the verb, or for an unknown bit of the mask; {@link Errno#EINVAL} for a number beyond
     *     {@link DeviceAttrEx#cqModerationMaxCqCount()} or {@link DeviceAttrEx#cqModerationMaxCqPeriod()}
     */
    public final void modify(ModifyCqAttr attr) {
        Extension.require(context(), ContextSlot.MODIFY_CQ, ModifyCq.class).modifyCq(this, attr);
    }

    /**
     * Destroys the queue. Unlike in C it does not wait for events: those already handed out are forgotten. Source:
     * {@code ibv_destroy_cq(3)}.
     *
     * @throws VerbsException {@link Errno#EBUSY} while queue pairs refer to it, and between
     *     {@link #startPoll(PollCqAttr)} and {@link #endPoll()}
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
