/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.mlx5dv.Devx;
import io.verbs4j.mlx5dv.DevxException;
import io.verbs4j.mlx5dv.DevxObject;
import io.verbs4j.mlx5dv.DevxOpcode;
import io.verbs4j.mlx5dv.Mailbox;
import io.verbs4j.rdmacore.sim.Check;
import java.lang.ref.ReferenceQueue;
import java.lang.reflect.InvocationTargetException;

/** Code shared by the programs about DevX. */
final class DevxRig {
    private DevxRig() {}

    /** Runs a program's method by name, on an object or, for null, as a static method. */
    static void run(Class<?> program, String name, Object of) throws ReflectiveOperationException {
        try {
            program.getDeclaredMethod(name).invoke(of);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(name, e.getCause());
        }
    }

    static DevxException refused(Runnable call) {
        return (DevxException) Check.failure(call);
    }

    /** Closes a handle; those of this library throw no checked exceptions. */
    static void close(AutoCloseable handle) {
        try {
            handle.close();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    static void lacks(String function, int since, Runnable call) {
        VerbsException e = Check.failure(call);
        Check.equal(Errno.ENOSYS, e.errno(), "errno");
        Check.require(
                e.getMessage().contains(function) && e.getMessage().contains("rdma-core " + since),
                "does not name " + function + ": " + e.getMessage());
    }

    static boolean isCollected(ReferenceQueue<?> queue) {
        try {
            for (int i = 0; i < 10; i++) {
                System.gc();
                if (queue.remove(20) != null) {
                    return true;
                }
            }
            return false;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A small object that can be queried and modified, in a domain of its own. */
    static final class Tis implements AutoCloseable {
        final DevxObject domain;
        final DevxObject object;
        final int number;

        Tis(Devx devx) {
            Mailbox out = new Mailbox(16);
            domain = devx.createObject(new Mailbox(16).opcode(DevxOpcode.ALLOC_TRANSPORT_DOMAIN), out);
            object = devx.createObject(
                    new Mailbox(192)
                            .opcode(DevxOpcode.CREATE_TIS)
                            .put(0x10c, 4, 5)
                            .put(0x228, 24, out.get(0x48, 24)),
                    out);
            number = out.getInt(0x48, 24);
        }

        Mailbox queryCommand() {
            return new Mailbox(16).opcode(DevxOpcode.QUERY_TIS).put(0x48, 24, number);
        }

        int priority() {
            Mailbox out = new Mailbox(176);
            object.query(queryCommand(), out);
            return out.getInt(0x80 + 0x0c, 4);
        }

        void priority(int priority) {
            object.modify(
                    new Mailbox(192)
                            .opcode(DevxOpcode.MODIFY_TIS)
                            .put(0x48, 24, number)
                            .put(0xbf, 1, 1)
                            .put(0x10c, 4, priority),
                    new Mailbox(16));
        }

        @Override
        public void close() {
            object.close();
            domain.close();
        }
    }
}
