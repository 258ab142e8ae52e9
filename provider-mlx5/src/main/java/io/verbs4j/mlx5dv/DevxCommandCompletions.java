/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.provider.mlx5.layout.DvDevxAsyncCmdHdrLayout;
import io.verbs4j.provider.mlx5.layout.DvDevxCmdCompLayout;
import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.event.EventSource;
import io.verbs4j.rdmacore.quirk.Libmlx5;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A channel that receives the results of asynchronous queries. Many queries may be outstanding; the device decides the
 * order of their results. Thread-safe. Source: mlx5dv_devx_create_cmd_comp(3).
 */
public final class DevxCommandCompletions extends DvHandle {
    static final String KIND = "DevX command channel";
    private static final String GET = "mlx5dv_devx_get_async_cmd_comp";

    private final long address;
    private final NativeFunction getCompletion;
    private final EventSource source;
    private final AtomicInteger longest = new AtomicInteger(Mailbox.HEADER_LENGTH);

    DevxCommandCompletions(VendorContext base, long address) {
        super(base, KIND);
        this.address = address;
        getCompletion = Libmlx5.function(GET, 23);
        source = new EventSource(GET, NativeMemory.getInt(address + DvDevxCmdCompLayout.FD));
    }

    /**
     * Starts a query of an object; its result arrives on this channel. Source: mlx5dv_devx_obj_query_async, in
     * mlx5dv_devx_create_cmd_comp(3).
     *
     * @param object the object to query
     * @param in a command that queries this kind of object, with the object's number; it may be reused at once
     * @param outLength length of the output in bytes: {@link Mailbox#HEADER_LENGTH} to {@link Mailbox#MAX_LENGTH}
     * @param wrId the id to recognize the result by
     * @throws VerbsException {@link Errno#EAGAIN} if 1 MiB of requested output has not been fetched yet;
     *     {@link Errno#EINVAL} if the command is not a query or names another object, for an object of another context,
     *     and after close of either
     */
    public void queryAsync(DevxObject object, Mailbox in, int outLength, long wrId) {
        String verb = "mlx5dv_devx_obj_query_async";
        if (object == null) {
            throw new VerbsException(Errno.EINVAL, verb, "object is null; pass the object to query");
        }
        DevxCommands.require(verb, "in", in);
        Mailbox.checkLength(verb, outLength);
        requireSameContext(verb, object);
        run(
                verb,
                () -> object.run(verb, () -> {
                    longest.accumulateAndGet(outLength, Math::max);
                    object.queryAsync(in, outLength, wrId, address);
                }));
    }

    /**
     * Waits for the next result.
     *
     * @return the result; {@link DevxCommandCompletion#get} reports whether the device refused the query
     * @throws VerbsException {@link Errno#EINTR} if the thread is interrupted (it stays interrupted);
     *     {@link Errno#EBADF} if this channel is closed meanwhile, {@link Errno#EINVAL} if it is closed already
     */
    public DevxCommandCompletion get() {
        return await(-1);
    }

    /**
     * Waits for the next result for a limited time.
     *
     * @param timeout how long to wait; 0 does not wait
     * @param unit the unit of {@code timeout}
     * @return the result, or null if none arrived in that time
     * @throws VerbsException as {@link #get()}, and {@link Errno#EINVAL} without a unit
     */
    public DevxCommandCompletion get(long timeout, TimeUnit unit) {
        return await(DevxEventChannel.nanos(GET, timeout, unit));
    }

    private DevxCommandCompletion await(long nanos) {
        return use(GET, () -> source.await(nanos, this::fetch));
    }

    private DevxCommandCompletion fetch() {
        int room = longest.get();
        try (Scratch c = new Scratch(DvDevxAsyncCmdHdrLayout.SIZEOF + room)) {
            int errno = Answers.errno(getCompletion.call(address, c.address(), DvDevxAsyncCmdHdrLayout.SIZEOF + room));
            if (errno == Errno.EAGAIN || errno == Errno.EINTR) {
                return null;
            }
            if (errno != 0) {
                throw Answers.failed(GET, errno);
            }
            return new DevxCommandCompletion(
                    NativeMemory.getLong(c.address() + DvDevxAsyncCmdHdrLayout.WR_ID),
                    new Mailbox(room).copyFrom(c.address() + DvDevxAsyncCmdHdrLayout.SIZEOF));
        }
    }

    @Override
    void wake() {
        source.close();
    }

    @Override
    void destroy() {
        Libmlx5.function("mlx5dv_devx_destroy_cmd_comp", 23).call(address);
    }
}
