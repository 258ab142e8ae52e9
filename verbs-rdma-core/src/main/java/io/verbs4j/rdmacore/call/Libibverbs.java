/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.call;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;

/**
 * What libibverbs.so.1 exports and every release since rdma-core 28 has, by direct mapping. Pointers are {@code long}.
 *
 * <p>The library is loaded at the first call of {@link #require} and no sooner. Not here: what is behind the pointers of a
 * context ({@link ContextFunctions}). Source: the man page of each function, section 3.
 */
public final class Libibverbs {
    /** Property that names the library to load in place of {@code libibverbs.so.1}: a path, or a name for the loader. */
    public static final String LIBRARY_PROPERTY = "io.verbs4j.rdmacore.libibverbs";

    private Libibverbs() {}

    /** Apart, because the class above must be loadable where there is neither the library nor JNA. */
    private static final class Binding {
        static final String NAME = System.getProperty(LIBRARY_PROPERTY, "libibverbs.so.1");
        static final String PROBLEM = bind();

        private static String bind() {
            String os = System.getProperty("os.name");
            if (!"Linux".equals(os)) {
                return "rdma-core runs on Linux, and this is " + os;
            }
            try {
                Native.register(Libibverbs.class, NativeLibrary.getInstance(NAME));
                return null;
            } catch (UnsatisfiedLinkError e) {
                return NAME + " can't be loaded (" + firstLine(e)
                        + "); install rdma-core (Debian: libibverbs1 and ibverbs-providers), or name the library with -D"
                        + LIBRARY_PROPERTY;
            } catch (LinkageError | IllegalArgumentException e) {
                return "JNA is missing or does not work here (" + firstLine(e)
                        + "); put it on the class path, or on the module path with --add-modules com.sun.jna";
            }
        }

        private static String firstLine(Throwable e) {
            return String.valueOf(e.getMessage()).lines().findFirst().orElse("").strip();
        }
    }

    /**
     * Loads the library where that was not done yet.
     *
     * @throws VerbsException {@link Errno#ENOENT} where it can't be loaded; the message tells why and what to do
     */
    public static void require(String verb) {
        if (Binding.PROBLEM != null) {
            throw new VerbsException(Errno.ENOENT, verb, Binding.PROBLEM);
        }
    }

    /**
     * A function that not every release exports.
     *
     * @param since the release of rdma-core that it came with, for the message
     * @throws VerbsException {@link Errno#ENOSYS} where the loaded library lacks it
     */
    public static NativeFunction function(String name, int since) {
        NativeFunction found = find(name);
        if (found == null) {
            throw new VerbsException(
                    Errno.ENOSYS,
                    name,
                    "the loaded " + Binding.NAME + " has no such function; it came with rdma-core " + since
                            + ": install that or a later release");
        }
        return found;
    }

    /** A function that not every release exports; null where this one does not. */
    public static NativeFunction find(String name) {
        return Exports.find(name);
    }

    /** Apart, as verifying this code needs classes of JNA. */
    private static final class Exports {
        static NativeFunction find(String name) {
            try {
                return NativeFunction.at(Pointer.nativeValue(
                        NativeLibrary.getInstance(Binding.NAME).getFunction(name)));
            } catch (UnsatisfiedLinkError e) {
                return null;
            }
        }
    }

    public static native void ibv_ack_async_event(long event);

    public static native void ibv_ack_cq_events(long cq, int count);

    public static native long ibv_alloc_pd(long context);

    public static native int ibv_attach_mcast(long qp, long gid, int lid);

    public static native int ibv_close_device(long context);

    public static native long ibv_create_ah(long pd, long attr);

    public static native long ibv_create_comp_channel(long context);

    public static native long ibv_create_cq(long context, int cqe, long cqContext, long channel, int compVector);

    public static native long ibv_create_qp(long pd, long attr);

    public static native long ibv_create_srq(long pd, long attr);

    public static native int ibv_dealloc_pd(long pd);

    public static native int ibv_dereg_mr(long mr);

    public static native int ibv_destroy_ah(long ah);

    public static native int ibv_destroy_comp_channel(long channel);

    public static native int ibv_destroy_cq(long cq);

    public static native int ibv_destroy_qp(long qp);

    public static native int ibv_destroy_srq(long srq);

    public static native int ibv_detach_mcast(long qp, long gid, int lid);

    public static native void ibv_free_device_list(long list);

    public static native int ibv_get_async_event(long context, long event);

    public static native int ibv_get_cq_event(long channel, long cqOut, long cqContextOut);

    public static native long ibv_get_device_guid(long device);

    public static native long ibv_get_device_list(long numDevicesOut);

    public static native int ibv_modify_qp(long qp, long attr, int mask);

    public static native int ibv_modify_srq(long srq, long attr, int mask);

    public static native long ibv_open_device(long device);

    /** The {@code struct ibv_qp_ex} of a {@code struct ibv_qp}; 0 where it was not made as one. */
    public static native long ibv_qp_to_qp_ex(long qp);

    public static native int ibv_query_device(long context, long attr);

    public static native int ibv_query_gid(long context, int port, int index, long gid);

    public static native int ibv_query_pkey(long context, int port, int index, long pkey);

    public static native int ibv_query_port(long context, int port, long attr);

    public static native int ibv_query_qp(long qp, long attr, int mask, long initAttr);

    public static native int ibv_query_srq(long srq, long attr);

    public static native long ibv_reg_mr_iova2(long pd, long addr, long length, long iova, int access);

    public static native int ibv_rereg_mr(long mr, int flags, long pd, long addr, long length, int access);

    public static native int ibv_resize_cq(long cq, int cqe);
}
