/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.QueuePair;
import io.verbs4j.RwqIndTable;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsObject;
import io.verbs4j.WorkQueue;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.provider.mlx5.layout.DvDevxUmemInLayout;
import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.VendorVerbs;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.object.IbvObject;
import io.verbs4j.rdmacore.object.NativeCompletionQueue;
import io.verbs4j.rdmacore.object.NativeQueuePair;
import io.verbs4j.rdmacore.object.NativeRwqIndTable;
import io.verbs4j.rdmacore.object.NativeSharedReceiveQueue;
import io.verbs4j.rdmacore.object.NativeWorkQueue;
import io.verbs4j.rdmacore.quirk.Libmlx5;
import java.nio.ByteBuffer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * DevX: the device's own commands, for features that the verbs do not cover. A command is a {@link Mailbox} whose
 * fields follow the programmer's reference; the kernel passes on those commands that an application may use. Obtain an
 * instance from {@link Context#vendor(Class)}, which throws {@link Errno#EOPNOTSUPP} if the context was opened without
 * DevX because the kernel or the device does not support it.
 *
 * <p>Since rdma-core 29, libmlx5 requests DevX whenever it opens a device. Objects created here keep the context open:
 * closing the context before them fails with {@link Errno#EBUSY}. All methods may be called from any thread; after the
 * context is closed they fail with {@link Errno#EINVAL}. Source: mlx5dv_devx_obj_create(3), mlx5dv_open_device(3).
 */
public final class Devx {
    static {
        VendorVerbs.constructor(
                Devx.class,
                new Function<>() { // not a lambda: that would load the provider's class at once
                    @Override
                    public Devx apply(VendorContext base) {
                        return new Devx(base);
                    }
                });
    }

    private final VendorContext base;

    /**
     * Sends one command, to check that the device accepts any.
     *
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if the context was opened without DevX because the kernel or the
     *     device does not support it
     */
    Devx(VendorContext base) {
        this.base = base;
        try {
            generalCmd(new Mailbox(Mailbox.HEADER_LENGTH).opcode(DevxOpcode.NOP), new Mailbox(Mailbox.HEADER_LENGTH));
        } catch (DevxException e) {
            return; // the device executes commands, although it refused this one
        } catch (VerbsException e) {
            if (e.errno() == Errno.ENOSYS) {
                throw e;
            }
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    "mlx5dv_devx",
                    base.device() + " was opened without DevX: the kernel or the device's firmware does not allow it",
                    e);
        }
    }

    /** {@return the context whose DevX this is, as the program opened it} */
    public Context context() {
        return base.context();
    }

    /**
     * Executes a command that does not concern an object. Source: mlx5dv_devx_general_cmd, in
     * mlx5dv_devx_obj_create(3).
     *
     * @param in the command
     * @param out receives the output; as long as that of the command
     * @throws VerbsException {@link DevxException} if the device refuses the command; {@link Errno#EINVAL} if the
     *     kernel does not let it through
     */
    public void generalCmd(Mailbox in, Mailbox out) {
        String verb = "mlx5dv_devx_general_cmd";
        use(verb, () -> {
            DevxCommands.run(verb, 21, base.address(), in, out);
            return null;
        });
    }

    /**
     * Creates an object of the device. Source: mlx5dv_devx_obj_create(3).
     *
     * @param in a command that creates an object
     * @param out receives the output, with the object's number
     * @return the new object
     * @throws VerbsException {@link DevxException} if the device refuses the command; {@link Errno#EINVAL} if the
     *     command does not create an object
     */
    public DevxObject createObject(Mailbox in, Mailbox out) {
        String verb = "mlx5dv_devx_obj_create";
        return DvHandle.make(
                base,
                verb,
                DevxObject.KIND,
                () -> new DevxObject(base, DevxCommands.make(verb, 21, base.address(), in, out), false));
    }

    /**
     * Registers memory for use in commands. Source: mlx5dv_devx_umem_reg(3).
     *
     * @param memory a direct buffer: the bytes between its position and limit are registered. It stays reachable while
     *     it is registered
     * @param access {@link io.verbs4j.AccessFlags} bits: LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ
     * @return the registration
     * @throws VerbsException {@link Errno#EINVAL} for a buffer that is empty or not direct, and for an invalid
     *     combination of access flags; {@link Errno#ENOMEM} if no more memory can be locked
     */
    public DevxUmem regUmem(ByteBuffer memory, int access) {
        return reg(new DevxUmemAttr().buffer(memory).access(access));
    }

    /**
     * Registers memory for use in commands, by address. The program must keep the memory there. Source:
     * mlx5dv_devx_umem_reg(3).
     *
     * @param addr address of the first byte
     * @param length number of bytes
     * @param access {@link io.verbs4j.AccessFlags} bits: LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ
     * @return the registration
     * @throws VerbsException {@link Errno#EINVAL} for a length that is not positive, and for an invalid combination of
     *     access flags; {@link Errno#EFAULT} if the memory does not exist; {@link Errno#ENOMEM} if no more memory can
     *     be locked
     */
    public DevxUmem regUmem(long addr, long length, int access) {
        return reg(new DevxUmemAttr().range(addr, length).access(access));
    }

    private DevxUmem reg(DevxUmemAttr attr) {
        String verb = "mlx5dv_devx_umem_reg";
        checkSize(verb, attr);
        return umem(
                verb,
                attr.buffer(),
                () -> Libmlx5.function(verb, 21).call(base.address(), attr.addr(), attr.size(), attr.access()));
    }

    /**
     * Registers memory for use in commands, with attributes. Since rdma-core 35. Source: mlx5dv_devx_umem_reg_ex, in
     * mlx5dv_devx_umem_reg(3).
     *
     * @param attr the memory to register, and how
     * @return the registration
     * @throws VerbsException as {@link #regUmem(long, long, int)}; {@link Errno#ENOSYS} with an older libmlx5;
     *     {@link Errno#EINVAL} if none of the page sizes is possible; {@link Errno#EOPNOTSUPP} if libmlx5 or the kernel
     *     does not know a bit of the mask; {@link Errno#EBADF} for a dma-buf that is not open
     */
    public DevxUmem regUmem(DevxUmemAttr attr) {
        String verb = "mlx5dv_devx_umem_reg_ex";
        if (attr == null) {
            throw new VerbsException(Errno.EINVAL, verb, "attr is null; pass the memory to register");
        }
        checkSize(verb, attr);
        return umem(verb, attr.buffer(), () -> {
            try (Scratch c = new Scratch(DvDevxUmemInLayout.SIZEOF)) {
                NativeMemory.putLong(c.address() + DvDevxUmemInLayout.ADDR, attr.addr());
                NativeMemory.putLong(c.address() + DvDevxUmemInLayout.SIZE, attr.size());
                NativeMemory.putInt(c.address() + DvDevxUmemInLayout.ACCESS, attr.access());
                NativeMemory.putLong(c.address() + DvDevxUmemInLayout.PGSZ_BITMAP, attr.pgszBitmap());
                NativeMemory.putLong(c.address() + DvDevxUmemInLayout.COMP_MASK, attr.compMask());
                NativeMemory.putInt(c.address() + DvDevxUmemInLayout.DMABUF_FD, attr.dmabufFd());
                return Libmlx5.function(verb, 35).call(base.address(), c.address());
            }
        });
    }

    /** libibverbs would take a negative length for a huge one. */
    private static void checkSize(String verb, DevxUmemAttr attr) {
        if (attr.size() <= 0) {
            throw new VerbsException(
                    Errno.EINVAL, verb, "the memory has " + attr.size() + " bytes; it must have at least one");
        }
    }

    private DevxUmem umem(String verb, ByteBuffer buffer, LongSupplier register) {
        return DvHandle.make(
                base,
                verb,
                DevxUmem.KIND,
                () -> new DevxUmem(base, Answers.checkPointer(verb, register.getAsLong()), buffer, false));
    }

    /**
     * Returns the event queue of a completion vector, which the command that creates a completion queue names. Source:
     * mlx5dv_devx_query_eqn(3).
     *
     * @param vector 0 to {@link Context#numCompVectors()} - 1
     * @return the number of the event queue
     * @throws VerbsException the kernel's errno, EINVAL or ENOENT, if the vector does not exist
     */
    public int queryEqn(int vector) {
        String verb = "mlx5dv_devx_query_eqn";
        return use(verb, () -> {
            try (Scratch c = new Scratch(Integer.BYTES)) {
                Answers.check(verb, Libmlx5.function(verb, 21).call(base.address(), vector, c.address()));
                return NativeMemory.getInt(c.address());
            }
        });
    }

    /**
     * Creates a channel for the results of asynchronous queries. Source: mlx5dv_devx_create_cmd_comp(3).
     *
     * @return the new channel
     * @throws VerbsException {@link Errno#EMFILE} if the process has no more descriptors
     */
    public DevxCommandCompletions createCommandCompletions() {
        String verb = "mlx5dv_devx_create_cmd_comp";
        return DvHandle.make(base, verb, DevxCommandCompletions.KIND, () -> {
            long made = Answers.checkPointer(verb, Libmlx5.function(verb, 23).call(base.address()));
            return orDestroy(() -> new DevxCommandCompletions(base, made), "mlx5dv_devx_destroy_cmd_comp", made);
        });
    }

    /**
     * Creates a channel for events of the device. Source: mlx5dv_devx_create_event_channel(3).
     *
     * @param flags {@link DevxEventChannelFlags} bits
     * @return the new channel
     * @throws VerbsException {@link Errno#EINVAL} for flags that the kernel does not know; {@link Errno#EMFILE} if the
     *     process has no more descriptors
     */
    public DevxEventChannel createEventChannel(int flags) {
        String verb = "mlx5dv_devx_create_event_channel";
        return DvHandle.make(base, verb, DevxEventChannel.KIND, () -> {
            long made = Answers.checkPointer(verb, Libmlx5.function(verb, 25).call(base.address(), flags));
            return orDestroy(() -> new DevxEventChannel(base, made), "mlx5dv_devx_destroy_event_channel", made);
        });
    }

    private static <T> T orDestroy(Supplier<T> handle, String destroy, long made) {
        try {
            return handle.get();
        } catch (RuntimeException e) {
            Libmlx5.function(destroy, 25).call(made);
            throw e;
        }
    }

    /**
     * Queries a verbs queue pair. Source: mlx5dv_devx_qp_query, in mlx5dv_devx_qp_modify(3).
     *
     * @param qp a queue pair of this context
     * @param in a command such as {@link DevxOpcode#QUERY_QP}, with the queue pair's number
     * @param out receives the output; as long as that of the command
     * @throws VerbsException {@link DevxException} if the device refuses the command; {@link Errno#EINVAL} if the
     *     command is not a query or names another object, and if the queue pair is closed or belongs to another context
     */
    public void query(QueuePair qp, Mailbox in, Mailbox out) {
        ofVerbs("mlx5dv_devx_qp_query", "qp", qp, NativeQueuePair.class, h -> h.ibv, in, out);
    }

    /**
     * Modifies a verbs queue pair. If the command moves it to another state, later posts take the new state into
     * account. Source: mlx5dv_devx_qp_modify(3).
     *
     * @param qp a queue pair of this context
     * @param in a command such as {@link DevxOpcode#RTS2RTS_QP}, with the queue pair's number
     * @param out receives the output; as long as that of the command
     * @throws VerbsException {@link DevxException} if the device refuses the command; {@link Errno#EINVAL} if the
     *     command does not modify a queue pair or names another object, and if the queue pair is closed or belongs to
     *     another context
     */
    public void modify(QueuePair qp, Mailbox in, Mailbox out) {
        String verb = "mlx5dv_devx_qp_modify";
        base.use(verb, "qp", qp, NativeQueuePair.class, h -> h.ibv, target -> {
            Runnable modify = () -> DevxCommands.run(verb, 22, target.address(), in, out);
            int state = DevxQpStates.after(in.opcode());
            if (state >= 0) {
                target.change(state, modify);
            } else {
                modify.run();
            }
            return null;
        });
    }

    /**
     * Queries a verbs completion queue. Source: mlx5dv_devx_cq_query, in mlx5dv_devx_qp_modify(3).
     *
     * @param cq a completion queue of this context
     * @param in a command such as {@link DevxOpcode#QUERY_CQ}, with the queue's number
     * @param out receives the output; as long as that of the command
     * @throws VerbsException as {@link #query(QueuePair, Mailbox, Mailbox)}
     */
    public void query(CompletionQueue cq, Mailbox in, Mailbox out) {
        ofVerbs("mlx5dv_devx_cq_query", "cq", cq, NativeCompletionQueue.class, h -> h.ibv, in, out);
    }

    /**
     * Modifies a verbs completion queue, for instance its interrupt moderation. Source: mlx5dv_devx_cq_modify, in
     * mlx5dv_devx_qp_modify(3).
     *
     * @param cq a completion queue of this context
     * @param in a command such as {@link DevxOpcode#MODIFY_CQ}, with the queue's number
     * @param out receives the output; as long as that of the command
     * @throws VerbsException as {@link #modify(QueuePair, Mailbox, Mailbox)}
     */
    public void modify(CompletionQueue cq, Mailbox in, Mailbox out) {
        ofVerbs("mlx5dv_devx_cq_modify", "cq", cq, NativeCompletionQueue.class, h -> h.ibv, in, out);
    }

    /**
     * Queries a verbs shared receive queue. Source: mlx5dv_devx_srq_query, in mlx5dv_devx_qp_modify(3).
     *
     * @param srq a shared receive queue of this context
     * @param in {@link DevxOpcode#QUERY_XRC_SRQ} for a queue of type XRC, otherwise {@link DevxOpcode#QUERY_RMP}, with
     *     the queue's number
     * @param out receives the output; as long as that of the command
     * @throws VerbsException as {@link #query(QueuePair, Mailbox, Mailbox)}
     */
    public void query(SharedReceiveQueue srq, Mailbox in, Mailbox out) {
        ofVerbs("mlx5dv_devx_srq_query", "srq", srq, NativeSharedReceiveQueue.class, h -> h.ibv, in, out);
    }

    /**
     * Modifies a verbs shared receive queue. Source: mlx5dv_devx_srq_modify, in mlx5dv_devx_qp_modify(3).
     *
     * @param srq a shared receive queue of this context
     * @param in a command such as {@link DevxOpcode#ARM_XRC_SRQ}, with the queue's number
     * @param out receives the output; as long as that of the command
     * @throws VerbsException as {@link #modify(QueuePair, Mailbox, Mailbox)}
     */
    public void modify(SharedReceiveQueue srq, Mailbox in, Mailbox out) {
        ofVerbs("mlx5dv_devx_srq_modify", "srq", srq, NativeSharedReceiveQueue.class, h -> h.ibv, in, out);
    }

    /**
     * Queries a verbs work queue. Source: mlx5dv_devx_wq_query, in mlx5dv_devx_qp_modify(3).
     *
     * @param wq a work queue of this context
     * @param in {@link DevxOpcode#QUERY_RQ}, with the queue's number
     * @param out receives the output; as long as that of the command
     * @throws VerbsException as {@link #query(QueuePair, Mailbox, Mailbox)}
     */
    public void query(WorkQueue wq, Mailbox in, Mailbox out) {
        ofVerbs("mlx5dv_devx_wq_query", "wq", wq, NativeWorkQueue.class, h -> h.ibv, in, out);
    }

    /**
     * Modifies a verbs work queue. If the command moves it to another state, posts do not take the new state into
     * account. Source: mlx5dv_devx_wq_modify, in mlx5dv_devx_qp_modify(3).
     *
     * @param wq a work queue of this context
     * @param in {@link DevxOpcode#MODIFY_RQ}, with the queue's number
     * @param out receives the output; as long as that of the command
     * @throws VerbsException as {@link #modify(QueuePair, Mailbox, Mailbox)}
     */
    public void modify(WorkQueue wq, Mailbox in, Mailbox out) {
        ofVerbs("mlx5dv_devx_wq_modify", "wq", wq, NativeWorkQueue.class, h -> h.ibv, in, out);
    }

    /**
     * Queries a verbs indirection table. Source: mlx5dv_devx_ind_tbl_query, in mlx5dv_devx_qp_modify(3).
     *
     * @param table a table of this context
     * @param in {@link DevxOpcode#QUERY_RQT}, with the table's number
     * @param out receives the output; as long as that of the command
     * @throws VerbsException as {@link #query(QueuePair, Mailbox, Mailbox)}
     */
    public void query(RwqIndTable table, Mailbox in, Mailbox out) {
        ofVerbs("mlx5dv_devx_ind_tbl_query", "table", table, NativeRwqIndTable.class, h -> h.ibv, in, out);
    }

    /**
     * Modifies a verbs indirection table: the work queues in it. Source: mlx5dv_devx_ind_tbl_modify, in
     * mlx5dv_devx_qp_modify(3).
     *
     * @param table a table of this context
     * @param in {@link DevxOpcode#MODIFY_RQT}, with the table's number
     * @param out receives the output; as long as that of the command
     * @throws VerbsException as {@link #modify(QueuePair, Mailbox, Mailbox)}
     */
    public void modify(RwqIndTable table, Mailbox in, Mailbox out) {
        ofVerbs("mlx5dv_devx_ind_tbl_modify", "table", table, NativeRwqIndTable.class, h -> h.ibv, in, out);
    }

    private <N> void ofVerbs(
            String verb,
            String name,
            VerbsObject handle,
            Class<N> type,
            Function<N, IbvObject> object,
            Mailbox in,
            Mailbox out) {
        base.use(verb, name, handle, type, object, target -> {
            DevxCommands.run(verb, 22, target.address(), in, out);
            return null;
        });
    }

    /**
     * Allocates an interrupt for event queues. Since rdma-core 40. Source: mlx5dv_devx_alloc_msi_vector(3).
     *
     * @return the interrupt
     * @throws VerbsException {@link Errno#EOPNOTSUPP} with the kernel's driver, which keeps the interrupts to itself;
     *     {@link Errno#ENOSYS} with an older libmlx5
     */
    public DevxMsiVector allocMsiVector() {
        String verb = "mlx5dv_devx_alloc_msi_vector";
        return DvHandle.make(
                base,
                verb,
                DevxMsiVector.KIND,
                () -> new DevxMsiVector(
                        base,
                        Answers.checkPointer(verb, Libmlx5.function(verb, 40).call(base.address()))));
    }

    /**
     * Creates an event queue that the program reads. Since rdma-core 40. Source: mlx5dv_devx_create_eq(3).
     *
     * @param in the command CREATE_EQ
     * @param out receives the output, with the queue's number
     * @return the new queue
     * @throws VerbsException {@link Errno#EOPNOTSUPP} with the kernel's driver, which keeps event queues to itself;
     *     {@link Errno#ENOSYS} with an older libmlx5; {@link DevxException} if the device refuses the command
     */
    public DevxEq createEq(Mailbox in, Mailbox out) {
        String verb = "mlx5dv_devx_create_eq";
        DevxCommands.require(verb, "in", in);
        return DvHandle.make(base, verb, DevxEq.KIND, () -> {
            long made = DevxCommands.make(verb, 40, base.address(), in, out);
            return new DevxEq(base, made, 1 << in.getInt(0xe3, 5));
        });
    }

    /**
     * Imports an object that was exported by this process, or by the process whose descriptor this context was imported
     * from. Closing the handle frees only what this process holds; the object lives until its creator destroys it.
     * Since rdma-core 63. Source: mlx5dv_devx_obj_import, in mlx5dv_devx_obj_export(3).
     *
     * @param exported the result of {@link DevxObject#export}
     * @return a handle of the same object
     * @throws VerbsException {@link Errno#EINVAL} for an array of the wrong length; {@link Errno#ENOSYS} with an older
     *     libmlx5
     */
    public DevxObject importObject(byte[] exported) {
        String verb = "mlx5dv_devx_obj_import";
        return DvHandle.make(
                base,
                verb,
                DevxObject.KIND,
                () -> new DevxObject(
                        base, DevxExports.take(verb, base.address(), exported, DevxExports.objectSize()), true));
    }

    /**
     * Imports memory that was exported, as {@link #importObject} does for objects. Since rdma-core 63. Source:
     * mlx5dv_devx_umem_import, in mlx5dv_devx_umem_export(3).
     *
     * @param exported the result of {@link DevxUmem#export}
     * @return a handle of the same memory
     * @throws VerbsException {@link Errno#EINVAL} for an array of the wrong length; {@link Errno#ENOSYS} with an older
     *     libmlx5
     */
    public DevxUmem importUmem(byte[] exported) {
        String verb = "mlx5dv_devx_umem_import";
        return DvHandle.make(
                base,
                verb,
                DevxUmem.KIND,
                () -> new DevxUmem(
                        base, DevxExports.take(verb, base.address(), exported, DevxExports.umemSize()), null, true));
    }

    private <T> T use(String verb, Supplier<T> body) {
        return base.children().use(verb, body);
    }
}
