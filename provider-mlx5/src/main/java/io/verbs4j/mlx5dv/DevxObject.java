/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.provider.mlx5.dv.DevxInside;
import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.quirk.Libmlx5;

/**
 * A device object that was created by a DevX command. The output of that command contains its number. Thread-safe.
 * Source: mlx5dv_devx_obj_create(3).
 */
public final class DevxObject extends DvHandle {
    static final String KIND = "DevX object";

    static {
        DevxInside.reachedBy(
                DevxObject.class, object -> new DevxInside(object.base(), object.object(), object.address));
    }

    private final long address;
    private final boolean imported;

    DevxObject(VendorContext base, long address, boolean imported) {
        super(base, KIND);
        this.address = address;
        this.imported = imported;
    }

    /** Returns the {@code struct mlx5dv_devx_obj}. Only for calls that hold a use of this handle. */
    long address() {
        return address;
    }

    /**
     * Queries the object.
     *
     * @param in a command that queries this kind of object, with the object's number
     * @param out receives the output; as long as that of the command
     * @throws VerbsException {@link DevxException} if the device refuses the command; {@link Errno#EINVAL} if the
     *     command is not a query or names another object, and after close
     */
    public void query(Mailbox in, Mailbox out) {
        run("mlx5dv_devx_obj_query", () -> DevxCommands.run("mlx5dv_devx_obj_query", 21, address, in, out));
    }

    /**
     * Modifies the object.
     *
     * @param in a command that modifies this kind of object, with the object's number
     * @param out receives the output; as long as that of the command
     * @throws VerbsException {@link DevxException} if the device refuses the command; {@link Errno#EINVAL} if the
     *     command does not modify this kind of object or names another object, and after close
     */
    public void modify(Mailbox in, Mailbox out) {
        run("mlx5dv_devx_obj_modify", () -> DevxCommands.run("mlx5dv_devx_obj_modify", 21, address, in, out));
    }

    /**
     * Exports the object: returns what another process needs to use it, once that process has this context's
     * descriptor. Since rdma-core 63. Source: mlx5dv_devx_obj_export(3).
     *
     * @return bytes for {@link Devx#importObject}, valid for the same release of libmlx5 only
     * @throws VerbsException {@link Errno#ENOSYS} with an older libmlx5; {@link Errno#EINVAL} after close
     */
    public byte[] export() {
        return use(
                "mlx5dv_devx_obj_export",
                () -> DevxExports.export("mlx5dv_devx_obj_export", address, DevxExports.objectSize()));
    }

    @Override
    void destroy() {
        if (imported) {
            Libmlx5.function("mlx5dv_devx_obj_unimport", 63).call(address);
        } else {
            Answers.check(
                    "mlx5dv_devx_obj_destroy",
                    Libmlx5.function("mlx5dv_devx_obj_destroy", 21).call(address));
        }
    }

    /** Starts an asynchronous query; the caller holds a use of both objects. */
    void queryAsync(Mailbox in, int outLength, long wrId, long completions) {
        try (Scratch c = new Scratch(in.length())) {
            in.copyTo(c.address());
            long rc = Libmlx5.function("mlx5dv_devx_obj_query_async", 23)
                    .call(address, c.address(), in.length(), outLength, wrId, completions);
            int errno = Answers.errno(rc);
            if (errno == Errno.EAGAIN) {
                throw new VerbsException(
                        errno,
                        "mlx5dv_devx_obj_query_async",
                        "1 MiB of answers has been requested but not fetched; fetch some of them first");
            }
            if (errno == Errno.EINVAL) {
                throw new VerbsException(
                        errno,
                        "mlx5dv_devx_obj_query_async",
                        "the kernel rejected the command " + DevxOpcode.toString(in.opcode())
                                + "; check that it is a query, and that it names this object's number");
            }
            if (errno != 0) {
                throw Answers.failed("mlx5dv_devx_obj_query_async", errno);
            }
        }
    }
}
