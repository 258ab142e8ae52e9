/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.call;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.call.Export;
import io.verbs4j.natives.call.LoadedLibrary;
import io.verbs4j.natives.call.NativeBinding;
import io.verbs4j.natives.call.NativeFunction;
import java.lang.reflect.Method;
import java.util.function.Supplier;

/**
 * The functions that libibverbs.so.1 exports in every release since rdma-core 28, each bound at its first call.
 * Pointers are {@code long}.
 *
 * <p>The library is loaded at the first call of {@link #require}, not earlier. Functions behind the pointers of a
 * context are in {@link ContextFunctions}. Source: the man page of each function, section 3.
 */
// More than 30 public methods because each function that libibverbs exports is one.
public final class Libibverbs {
    /** Property that names the library to load instead of {@code libibverbs.so.1}: a path, or a name for the loader. */
    public static final String LIBRARY_PROPERTY = "io.verbs4j.rdmacore.libibverbs";

    private static final String PREFIX = "ibv_";

    private Libibverbs() {}

    /** A class of its own, so that nothing is created unless a function is called. */
    private static final class Functions {
        private static final Supplier<LoadedLibrary> LIBRARY = Binding::library;
        static final Export IBV_ACK_ASYNC_EVENT = new Export(LIBRARY, "ibv_ack_async_event");
        static final Export IBV_ACK_CQ_EVENTS = new Export(LIBRARY, "ibv_ack_cq_events");
        static final Export IBV_ALLOC_PD = new Export(LIBRARY, "ibv_alloc_pd");
        static final Export IBV_ATTACH_MCAST = new Export(LIBRARY, "ibv_attach_mcast");
        static final Export IBV_CLOSE_DEVICE = new Export(LIBRARY, "ibv_close_device");
        static final Export IBV_CREATE_AH = new Export(LIBRARY, "ibv_create_ah");
        static final Export IBV_CREATE_COMP_CHANNEL = new Export(LIBRARY, "ibv_create_comp_channel");
        static final Export IBV_CREATE_CQ = new Export(LIBRARY, "ibv_create_cq");
        static final Export IBV_CREATE_QP = new Export(LIBRARY, "ibv_create_qp");
        static final Export IBV_CREATE_SRQ = new Export(LIBRARY, "ibv_create_srq");
        static final Export IBV_DEALLOC_PD = new Export(LIBRARY, "ibv_dealloc_pd");
        static final Export IBV_DEREG_MR = new Export(LIBRARY, "ibv_dereg_mr");
        static final Export IBV_DESTROY_AH = new Export(LIBRARY, "ibv_destroy_ah");
        static final Export IBV_DESTROY_COMP_CHANNEL = new Export(LIBRARY, "ibv_destroy_comp_channel");
        static final Export IBV_DESTROY_CQ = new Export(LIBRARY, "ibv_destroy_cq");
        static final Export IBV_DESTROY_QP = new Export(LIBRARY, "ibv_destroy_qp");
        static final Export IBV_DESTROY_SRQ = new Export(LIBRARY, "ibv_destroy_srq");
        static final Export IBV_DETACH_MCAST = new Export(LIBRARY, "ibv_detach_mcast");
        static final Export IBV_FREE_DEVICE_LIST = new Export(LIBRARY, "ibv_free_device_list");
        static final Export IBV_GET_ASYNC_EVENT = new Export(LIBRARY, "ibv_get_async_event");
        static final Export IBV_GET_CQ_EVENT = new Export(LIBRARY, "ibv_get_cq_event");
        static final Export IBV_GET_DEVICE_GUID = new Export(LIBRARY, "ibv_get_device_guid");
        static final Export IBV_GET_DEVICE_LIST = new Export(LIBRARY, "ibv_get_device_list");
        static final Export IBV_MODIFY_QP = new Export(LIBRARY, "ibv_modify_qp");
        static final Export IBV_MODIFY_SRQ = new Export(LIBRARY, "ibv_modify_srq");
        static final Export IBV_OPEN_DEVICE = new Export(LIBRARY, "ibv_open_device");
        static final Export IBV_QP_TO_QP_EX = new Export(LIBRARY, "ibv_qp_to_qp_ex");
        static final Export IBV_QUERY_DEVICE = new Export(LIBRARY, "ibv_query_device");
        static final Export IBV_QUERY_GID = new Export(LIBRARY, "ibv_query_gid");
        static final Export IBV_QUERY_PKEY = new Export(LIBRARY, "ibv_query_pkey");
        static final Export IBV_QUERY_PORT = new Export(LIBRARY, "ibv_query_port");
        static final Export IBV_QUERY_QP = new Export(LIBRARY, "ibv_query_qp");
        static final Export IBV_QUERY_SRQ = new Export(LIBRARY, "ibv_query_srq");
        static final Export IBV_REG_MR_IOVA2 = new Export(LIBRARY, "ibv_reg_mr_iova2");
        static final Export IBV_REREG_MR = new Export(LIBRARY, "ibv_rereg_mr");
        static final Export IBV_RESIZE_CQ = new Export(LIBRARY, "ibv_resize_cq");
    }

    /** A class of its own, because the outer one must load without the library and JNA. */
    private static final class Binding {
        static final String NAME = System.getProperty(LIBRARY_PROPERTY, "libibverbs.so.1");
        private static LoadedLibrary library;
        static final String PROBLEM = bind();

        static LoadedLibrary library() {
            return library;
        }

        private static String bind() {
            String os = System.getProperty("os.name");
            if (!"Linux".equals(os)) {
                return "rdma-core runs only on Linux, and this is " + os;
            }
            String problem = NativeBinding.problem();
            if (problem != null) {
                return problem;
            }
            try {
                library = NativeBinding.open(NAME);
                return missing();
            } catch (UnsatisfiedLinkError e) {
                return NAME + " can't be loaded (" + firstLine(e)
                        + "); install rdma-core (Debian: libibverbs1 and ibverbs-providers), or name the library with"
                        + " -D"
                        + LIBRARY_PROPERTY;
            } catch (LinkageError | IllegalArgumentException e) {
                if (NativeBinding.grant() != null) {
                    return "native access is denied to the JDK's foreign function API and to JNA; start it with "
                            + NativeBinding.grant();
                }
                return "JNA is missing or does not work here (" + firstLine(e)
                        + "); put it on the class path, or on the module path with --add-modules com.sun.jna";
            }
        }

        private static String missing() {
            for (Method method : Libibverbs.class.getDeclaredMethods()) {
                if (method.getName().startsWith(PREFIX) && library.address(method.getName()) == 0) {
                    return NAME + " can't be used: it has no " + method.getName()
                            + "; install rdma-core 28 or later, or" + " name the library with -D" + LIBRARY_PROPERTY;
                }
            }
            return null;
        }

        private static String firstLine(Throwable e) {
            return String.valueOf(e.getMessage()).lines().findFirst().orElse("").strip();
        }
    }

    /**
     * Loads the library unless it is loaded.
     *
     * @throws VerbsException {@link Errno#ENOENT} if it cannot be loaded; the message says why and what to do
     */
    public static void require(String verb) {
        if (Binding.PROBLEM != null) {
            throw new VerbsException(Errno.ENOENT, verb, Binding.PROBLEM);
        }
    }

    /**
     * Returns a function that not every release exports.
     *
     * @param since the release of rdma-core that introduced it, for the message
     * @throws VerbsException {@link Errno#ENOSYS} if the loaded library lacks it
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

    /** {@return a function that not every release exports, or null if the loaded one does not} */
    public static NativeFunction find(String name) {
        long address = Binding.library().address(name);
        return address == 0 ? null : NativeFunction.at(address);
    }

    public static void ibv_ack_async_event(long event) {
        Functions.IBV_ACK_ASYNC_EVENT.get().call(event);
    }

    public static void ibv_ack_cq_events(long cq, int count) {
        Functions.IBV_ACK_CQ_EVENTS.get().call(cq, count);
    }

    public static long ibv_alloc_pd(long context) {
        return Functions.IBV_ALLOC_PD.get().call(context);
    }

    public static int ibv_attach_mcast(long qp, long gid, int lid) {
        return (int) Functions.IBV_ATTACH_MCAST.get().call(qp, gid, lid);
    }

    public static int ibv_close_device(long context) {
        return (int) Functions.IBV_CLOSE_DEVICE.get().call(context);
    }

    public static long ibv_create_ah(long pd, long attr) {
        return Functions.IBV_CREATE_AH.get().call(pd, attr);
    }

    public static long ibv_create_comp_channel(long context) {
        return Functions.IBV_CREATE_COMP_CHANNEL.get().call(context);
    }

    public static long ibv_create_cq(long context, int cqe, long cqContext, long channel, int compVector) {
        return Functions.IBV_CREATE_CQ.get().call(context, cqe, cqContext, channel, compVector);
    }

    public static long ibv_create_qp(long pd, long attr) {
        return Functions.IBV_CREATE_QP.get().call(pd, attr);
    }

    public static long ibv_create_srq(long pd, long attr) {
        return Functions.IBV_CREATE_SRQ.get().call(pd, attr);
    }

    public static int ibv_dealloc_pd(long pd) {
        return (int) Functions.IBV_DEALLOC_PD.get().call(pd);
    }

    public static int ibv_dereg_mr(long mr) {
        return (int) Functions.IBV_DEREG_MR.get().call(mr);
    }

    public static int ibv_destroy_ah(long ah) {
        return (int) Functions.IBV_DESTROY_AH.get().call(ah);
    }

    public static int ibv_destroy_comp_channel(long channel) {
        return (int) Functions.IBV_DESTROY_COMP_CHANNEL.get().call(channel);
    }

    public static int ibv_destroy_cq(long cq) {
        return (int) Functions.IBV_DESTROY_CQ.get().call(cq);
    }

    public static int ibv_destroy_qp(long qp) {
        return (int) Functions.IBV_DESTROY_QP.get().call(qp);
    }

    public static int ibv_destroy_srq(long srq) {
        return (int) Functions.IBV_DESTROY_SRQ.get().call(srq);
    }

    public static int ibv_detach_mcast(long qp, long gid, int lid) {
        return (int) Functions.IBV_DETACH_MCAST.get().call(qp, gid, lid);
    }

    public static void ibv_free_device_list(long list) {
        Functions.IBV_FREE_DEVICE_LIST.get().call(list);
    }

    public static int ibv_get_async_event(long context, long event) {
        return (int) Functions.IBV_GET_ASYNC_EVENT.get().call(context, event);
    }

    public static int ibv_get_cq_event(long channel, long cqOut, long cqContextOut) {
        return (int) Functions.IBV_GET_CQ_EVENT.get().call(channel, cqOut, cqContextOut);
    }

    public static long ibv_get_device_guid(long device) {
        return Functions.IBV_GET_DEVICE_GUID.get().call(device);
    }

    public static long ibv_get_device_list(long numDevicesOut) {
        return Functions.IBV_GET_DEVICE_LIST.get().call(numDevicesOut);
    }

    public static int ibv_modify_qp(long qp, long attr, int mask) {
        return (int) Functions.IBV_MODIFY_QP.get().call(qp, attr, mask);
    }

    public static int ibv_modify_srq(long srq, long attr, int mask) {
        return (int) Functions.IBV_MODIFY_SRQ.get().call(srq, attr, mask);
    }

    public static long ibv_open_device(long device) {
        return Functions.IBV_OPEN_DEVICE.get().call(device);
    }

    /** {@return the {@code struct ibv_qp_ex} of a {@code struct ibv_qp}, or 0 if it was not created as one} */
    public static long ibv_qp_to_qp_ex(long qp) {
        return Functions.IBV_QP_TO_QP_EX.get().call(qp);
    }

    public static int ibv_query_device(long context, long attr) {
        return (int) Functions.IBV_QUERY_DEVICE.get().call(context, attr);
    }

    public static int ibv_query_gid(long context, int port, int index, long gid) {
        return (int) Functions.IBV_QUERY_GID.get().call(context, port, index, gid);
    }

    public static int ibv_query_pkey(long context, int port, int index, long pkey) {
        return (int) Functions.IBV_QUERY_PKEY.get().call(context, port, index, pkey);
    }

    public static int ibv_query_port(long context, int port, long attr) {
        return (int) Functions.IBV_QUERY_PORT.get().call(context, port, attr);
    }

    public static int ibv_query_qp(long qp, long attr, int mask, long initAttr) {
        return (int) Functions.IBV_QUERY_QP.get().call(qp, attr, mask, initAttr);
    }

    public static int ibv_query_srq(long srq, long attr) {
        return (int) Functions.IBV_QUERY_SRQ.get().call(srq, attr);
    }

    public static long ibv_reg_mr_iova2(long pd, long addr, long length, long iova, int access) {
        return Functions.IBV_REG_MR_IOVA2.get().call(pd, addr, length, iova, access);
    }

    public static int ibv_rereg_mr(long mr, int flags, long pd, long addr, long length, int access) {
        return (int) Functions.IBV_REREG_MR.get().call(mr, flags, pd, addr, length, access);
    }

    public static int ibv_resize_cq(long cq, int cqe) {
        return (int) Functions.IBV_RESIZE_CQ.get().call(cq, cqe);
    }
}
