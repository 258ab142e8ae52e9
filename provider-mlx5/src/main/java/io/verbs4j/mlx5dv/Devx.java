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
import io.verbs4j.rdmacore.call.Libmlx5;
import io.verbs4j.rdmacore.object.IbvObject;
import io.verbs4j.rdmacore.object.NativeCompletionQueue;
import io.verbs4j.rdmacore.object.NativeQueuePair;
import io.verbs4j.rdmacore.object.NativeRwqIndTable;
import io.verbs4j.rdmacore.object.NativeSharedReceiveQueue;
import io.verbs4j.rdmacore.object.NativeWorkQueue;
import java.nio.ByteBuffer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * DevX: the device's own commands, for what the verbs do not have. A command is a {@link Mailbox} with fields as the programmer's
 * reference has them; the kernel lets through what an application may use. A program gets it from {@link Context#vendor(Class)}, which
 * throws {@link Errno#EOPNOTSUPP} where the context was opened without DevX, because the kernel or the device has none.
 *
 * <p>libmlx5 asks for DevX whenever it opens a device, since rdma-core 29. What was made here keeps the context open: to close that
 * first answers {@link Errno#EBUSY}. All methods may be called from any thread; after the context is closed they answer {@link
 * Errno#EINVAL}. Source: mlx5dv_devx_obj_create(3), mlx5dv_open_device(3).
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
     * Sends one command, to see whether the device takes any.
     *
     * @throws VerbsException {@link Errno#EOPNOTSUPP} where the context was opened without DevX, because the kernel or the device has
     *     none
     */
    Devx(VendorContext base) {
        this.base = base;
        try {
            generalCmd(new Mailbox(Mailbox.HEADER_LENGTH).opcode(DevxOpcode.NOP), new Mailbox(Mailbox.HEADER_LENGTH));
        } catch (DevxException e) {
            return; // the device knows the language, if not the word
        } catch (VerbsException e) {
            if (e.errno() == Errno.ENOSYS) {
                throw e;
            }
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    "mlx5dv_devx",
                    base.device()
                            + " was opened without DevX: the kernel, or the firmware of the device, does not allow it",
                    e);
        }
    }

    /**
     * The context that this is the DevX of.
     *
     * @return the context, as the program has it
     */
    public Context context() {
        return base.context();
    }

    /**
     * Sends a command that is not about an object. Source: mlx5dv_devx_general_cmd, in mlx5dv_devx_obj_create(3).
     *
     * @param in the command
     * @param out where the answer goes, as long as that command's
     * @throws VerbsException {@link DevxException} where the device refuses; {@link Errno#EINVAL} where the kernel does not let the
     *     command through
     */
    public void generalCmd(Mailbox in, Mailbox out) {
        String verb = "mlx5dv_devx_general_cmd";
        use(verb, () -> {
            DevxCommands.run(verb, 21, base.address(), in, out);
            return null;
        });
    }

    /**
     * Makes an object of the device. Source: mlx5dv_devx_obj_create(3).
     *
     * @param in a command that makes one
     * @param out where the answer goes, with the object's number
     * @return the new object
     * @throws VerbsException {@link DevxException} where the device refuses; {@link Errno#EINVAL} where the command makes none
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
     * Registers memory that commands may name. Source: mlx5dv_devx_umem_reg(3).
     *
     * @param memory a direct buffer: the bytes between its position and limit; it stays reachable while it is registered
     * @param access {@link io.verbs4j.AccessFlags} bits: LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ
     * @return the registration
     * @throws VerbsException {@link Errno#EINVAL} for a buffer that is not direct, or empty, and rights that do not go together; {@link
     *     Errno#ENOMEM} where no more memory can be locked
     */
    public DevxUmem regUmem(ByteBuffer memory, int access) {
        return reg(new DevxUmemAttr().buffer(memory).access(access));
    }

    /**
     * Registers memory that commands may name, by address. The program keeps it there. Source: mlx5dv_devx_umem_reg(3).
     *
     * @param addr the first byte
     * @param length in bytes
     * @param access {@link io.verbs4j.AccessFlags} bits: LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ
     * @return the registration
     * @throws VerbsException {@link Errno#EINVAL} for a length that is not positive, and rights that do not go together; {@link
     *     Errno#EFAULT} where there is no such memory; {@link Errno#ENOMEM} where no more memory can be locked
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
     * Registers memory that commands may name. Since rdma-core 35. Source: mlx5dv_devx_umem_reg_ex, in mlx5dv_devx_umem_reg(3).
     *
     * @param attr what to register, and how
     * @return the registration
     * @throws VerbsException as {@link #regUmem(long, long, int)}; {@link Errno#ENOSYS} with an older libmlx5; {@link Errno#EINVAL}
     *     where none of the page sizes goes; {@link Errno#EOPNOTSUPP} where libmlx5, or the kernel, does not know a bit of the mask;
     *     {@link Errno#EBADF} for a dma-buf that is not open
     */
    public DevxUmem regUmem(DevxUmemAttr attr) {
        String verb = "mlx5dv_devx_umem_reg_ex";
        if (attr == null) {
            throw new VerbsException(Errno.EINVAL, verb, "attr is null; say which memory to register");
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

    /** libibverbs would take such a length for a huge one. */
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
     * Tells the event queue of a completion vector, which the command for a completion queue names. Source:
     * mlx5dv_devx_query_eqn(3).
     *
     * @param vector 0 to {@link Context#numCompVectors()} - 1
     * @return the number of the event queue
     * @throws VerbsException the kernel's errno, EINVAL or ENOENT, where there is no such vector
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
     * Makes a channel for the answers to queries that run beside. Source: mlx5dv_devx_create_cmd_comp(3).
     *
     * @return the new channel
     * @throws VerbsException {@link Errno#EMFILE} where the process has no more descriptors
     */
    public DevxCommandCompletions createCommandCompletions() {
        String verb = "mlx5dv_devx_create_cmd_comp";
        return DvHandle.make(base, verb, DevxCommandCompletions.KIND, () -> {
            long made = Answers.checkPointer(verb, Libmlx5.function(verb, 23).call(base.address()));
            return orDestroy(() -> new DevxCommandCompletions(base, made), "mlx5dv_devx_destroy_cmd_comp", made);
        });
    }

    /**
     * Makes a channel for events of the device. Source: mlx5dv_devx_create_event_channel(3).
     *
     * @param flags {@link DevxEventChannelFlags} bits
     * @return the new channel
     * @throws VerbsException {@link Errno#EINVAL} for flags that the kernel does not know; {@link Errno#EMFILE} where the process has
     *     no more descriptors
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
     * Asks the device about a queue pair of the verbs. Source: mlx5dv_devx_qp_query, in mlx5dv_devx_qp_modify(3).
     *
     * @param qp a queue pair of this context
     * @param in a command such as {@link DevxOpcode#QUERY_QP}, with the queue pair's number
     * @param out where the answer goes, as long as that command's
     * @throws VerbsException {@link DevxException} where the device refuses; {@link Errno#EINVAL} where the command is no query, or
     *     names another object, and where the queue pair is closed or another context's
     */
    public void query(QueuePair qp, Mailbox in, Mailbox out) {
        ofVerbs("mlx5dv_devx_qp_query", "qp", qp, NativeQueuePair.class, h -> h.ibv, in, out);
    }

    /**
     * Changes a queue pair of the verbs. A command that moves it to another state is known to its posts from then on. Source:
     * mlx5dv_devx_qp_modify(3).
     *
     * @param qp a queue pair of this context
     * @param in a command such as {@link DevxOpcode#RTS2RTS_QP}, with the queue pair's number
     * @param out where the answer goes, as long as that command's
     * @throws VerbsException {@link DevxException} where the device refuses; {@link Errno#EINVAL} where the command is none that
     *     changes, or names another object, and where the queue pair is closed or another context's
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
     * Asks the device about a completion queue of the verbs. Source: mlx5dv_devx_cq_query, in mlx5dv_devx_qp_modify(3).
     *
     * @param cq a completion queue of this context
     * @param in a command such as {@link DevxOpcode#QUERY_CQ}, with the queue's number
     * @param out where the answer goes, as long as that command's
     * @throws VerbsException as {@link #query(QueuePair, Mailbox, Mailbox)}
     */
    public void query(CompletionQueue cq, Mailbox in, Mailbox out) {
        ofVerbs("mlx5dv_devx_cq_query", "cq", cq, NativeCompletionQueue.class, h -> h.ibv, in, out);
    }

    /**
     * Changes a completion queue of the verbs, such as how often it interrupts. Source: mlx5dv_devx_cq_modify, in
     * mlx5dv_devx_qp_modify(3).
     *
     * @param cq a completion queue of this context
     * @param in a command such as {@link DevxOpcode#MODIFY_CQ}, with the queue's number
     * @param out where the answer goes, as long as that command's
     * @throws VerbsException as {@link #modify(QueuePair, Mailbox, Mailbox)}
     */
    public void modify(CompletionQueue cq, Mailbox in, Mailbox out) {
        ofVerbs("mlx5dv_devx_cq_modify", "cq", cq, NativeCompletionQueue.class, h -> h.ibv, in, out);
    }

    /**
     * Asks the device about a shared receive queue of the verbs. Source: mlx5dv_devx_srq_query, in mlx5dv_devx_qp_modify(3).
     *
     * @param srq a shared receive queue of this context
     * @param in {@link DevxOpcode#QUERY_XRC_SRQ} for one of type XRC, else {@link DevxOpcode#QUERY_RMP}, with the queue's number
     * @param out where the answer goes, as long as that command's
     * @throws VerbsException as {@link #query(QueuePair, Mailbox, Mailbox)}
     */
    public void query(SharedReceiveQueue srq, Mailbox in, Mailbox out) {
        ofVerbs("mlx5dv_devx_srq_query", "srq", srq, NativeSharedReceiveQueue.class, h -> h.ibv, in, out);
    }

    /**
     * Changes a shared receive queue of the verbs. Source: mlx5dv_devx_srq_modify, in mlx5dv_devx_qp_modify(3).
     *
     * @param srq a shared receive queue of this context
     * @param in a command such as {@link DevxOpcode#ARM_XRC_SRQ}, with the queue's number
     * @param out where the answer goes, as long as that command's
     * @throws VerbsException as {@link #modify(QueuePair, Mailbox, Mailbox)}
     */
    public void modify(SharedReceiveQueue srq, Mailbox in, Mailbox out) {
        ofVerbs("mlx5dv_devx_srq_modify", "srq", srq, NativeSharedReceiveQueue.class, h -> h.ibv, in, out);
    }

    /**
     * Asks the device about a work queue of the verbs. Source: mlx5dv_devx_wq_query, in mlx5dv_devx_qp_modify(3).
     *
     * @param wq a work queue of this context
     * @param in {@link DevxOpcode#QUERY_RQ}, with the queue's number
     * @param out where the answer goes, as long as that command's
     * @throws VerbsException as {@link #query(QueuePair, Mailbox, Mailbox)}
     */
    public void query(WorkQueue wq, Mailbox in, Mailbox out) {
        ofVerbs("mlx5dv_devx_wq_query", "wq", wq, NativeWorkQueue.class, h -> h.ibv, in, out);
    }

    /**
     * Changes a work queue of the verbs. A command that moves it to another state is not known to its posts. Source:
     * mlx5dv_devx_wq_modify, in mlx5dv_devx_qp_modify(3).
     *
     * @param wq a work queue of this context
     * @param in {@link DevxOpcode#MODIFY_RQ}, with the queue's number
     * @param out where the answer goes, as long as that command's
     * @throws VerbsException as {@link #modify(QueuePair, Mailbox, Mailbox)}
     */
    public void modify(WorkQueue wq, Mailbox in, Mailbox out) {
        ofVerbs("mlx5dv_devx_wq_modify", "wq", wq, NativeWorkQueue.class, h -> h.ibv, in, out);
    }

    /**
     * Asks the device about an indirection table of the verbs. Source: mlx5dv_devx_ind_tbl_query, in
     * mlx5dv_devx_qp_modify(3).
     *
     * @param table a table of this context
     * @param in {@link DevxOpcode#QUERY_RQT}, with the table's number
     * @param out where the answer goes, as long as that command's
     * @throws VerbsException as {@link #query(QueuePair, Mailbox, Mailbox)}
     */
    public void query(RwqIndTable table, Mailbox in, Mailbox out) {
        ofVerbs("mlx5dv_devx_ind_tbl_query", "table", table, NativeRwqIndTable.class, h -> h.ibv, in, out);
    }

    /**
     * Changes an indirection table of the verbs: which work queues there are in it. Source:
     * mlx5dv_devx_ind_tbl_modify, in mlx5dv_devx_qp_modify(3).
     *
     * @param table a table of this context
     * @param in {@link DevxOpcode#MODIFY_RQT}, with the table's number
     * @param out where the answer goes, as long as that command's
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
     * @throws VerbsException {@link Errno#EOPNOTSUPP} with the kernel's driver, which keeps the interrupts; {@link Errno#ENOSYS} with
     *     an older libmlx5
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
     * Makes an event queue that the program reads. Since rdma-core 40. Source: mlx5dv_devx_create_eq(3).
     *
     * @param in the command CREATE_EQ
     * @param out where the answer goes, with the queue's number
     * @return the new queue
     * @throws VerbsException {@link Errno#EOPNOTSUPP} with the kernel's driver, which keeps event queues to itself; {@link
     *     Errno#ENOSYS} with an older libmlx5; {@link DevxException} where the device refuses
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
     * Takes over an object that was exported, by a process whose descriptor this context was imported from, or by this one. To close
     * it frees what this process knows of it; the object lives until its maker destroys it. Since rdma-core 63. Source:
     * mlx5dv_devx_obj_import, in mlx5dv_devx_obj_export(3).
     *
     * @param exported what {@link DevxObject#export} gave
     * @return a handle of the same object
     * @throws VerbsException {@link Errno#EINVAL} for bytes of another length; {@link Errno#ENOSYS} with an older libmlx5
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
     * Takes over memory that was exported, as {@link #importObject}. Since rdma-core 63. Source: mlx5dv_devx_umem_import, in
     * mlx5dv_devx_umem_export(3).
     *
     * @param exported what {@link DevxUmem#export} gave
     * @return a handle of the same memory
     * @throws VerbsException {@link Errno#EINVAL} for bytes of another length; {@link Errno#ENOSYS} with an older libmlx5
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
