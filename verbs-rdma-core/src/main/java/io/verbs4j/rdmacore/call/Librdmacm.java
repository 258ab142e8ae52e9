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
 * The functions that librdmacm.so.1 exports in every release since rdma-core 24, each bound at its first call;
 * {@link #has} reports newer ones. Pointers are {@code long}. All except the creator and destroyer of event channels
 * return 0, or -1 with errno set; read errno at once, on the same thread.
 *
 * <p>Missing here are ids without a channel, which block in C, and {@code rdma_create_qp}, whose queue pairs belong to
 * a context of librdmacm's own. Source: the man page of each function, section 3.
 */
public final class Librdmacm {
    /** Property that names the library to load instead of {@code librdmacm.so.1}: a path, or a name for the loader. */
    public static final String LIBRARY_PROPERTY = "io.verbs4j.rdmacore.librdmacm";

    private static final String PREFIX = "rdma_";

    private Librdmacm() {}

    /** A class of its own, so that nothing is created unless a function is called. */
    private static final class Functions {
        private static final Supplier<LoadedLibrary> LIBRARY = Binding::library;
        static final Export RDMA_ACCEPT = new Export(LIBRARY, "rdma_accept");
        static final Export RDMA_ACK_CM_EVENT = new Export(LIBRARY, "rdma_ack_cm_event");
        static final Export RDMA_BIND_ADDR = new Export(LIBRARY, "rdma_bind_addr");
        static final Export RDMA_CONNECT = new Export(LIBRARY, "rdma_connect");
        static final Export RDMA_CREATE_EVENT_CHANNEL = new Export(LIBRARY, "rdma_create_event_channel");
        static final Export RDMA_CREATE_ID = new Export(LIBRARY, "rdma_create_id");
        static final Export RDMA_DESTROY_EVENT_CHANNEL = new Export(LIBRARY, "rdma_destroy_event_channel");
        static final Export RDMA_DESTROY_ID = new Export(LIBRARY, "rdma_destroy_id");
        static final Export RDMA_DISCONNECT = new Export(LIBRARY, "rdma_disconnect");
        static final Export RDMA_ESTABLISH = new Export(LIBRARY, "rdma_establish");
        static final Export RDMA_GET_CM_EVENT = new Export(LIBRARY, "rdma_get_cm_event");
        static final Export RDMA_INIT_QP_ATTR = new Export(LIBRARY, "rdma_init_qp_attr");
        static final Export RDMA_JOIN_MULTICAST = new Export(LIBRARY, "rdma_join_multicast");
        static final Export RDMA_LEAVE_MULTICAST = new Export(LIBRARY, "rdma_leave_multicast");
        static final Export RDMA_LISTEN = new Export(LIBRARY, "rdma_listen");
        static final Export RDMA_NOTIFY = new Export(LIBRARY, "rdma_notify");
        static final Export RDMA_REJECT = new Export(LIBRARY, "rdma_reject");
        static final Export RDMA_RESOLVE_ADDR = new Export(LIBRARY, "rdma_resolve_addr");
        static final Export RDMA_RESOLVE_ROUTE = new Export(LIBRARY, "rdma_resolve_route");
        static final Export RDMA_SET_OPTION = new Export(LIBRARY, "rdma_set_option");
    }

    /** A class of its own, because the outer one must load without the library. */
    private static final class Binding {
        static final String NAME = System.getProperty(LIBRARY_PROPERTY, "librdmacm.so.1");
        private static LoadedLibrary library;
        static final String PROBLEM = bind();

        static LoadedLibrary library() {
            return library;
        }

        private static String bind() {
            String remedy = "; install rdma-core 24 or later (Debian: librdmacm1), or name the library with -D"
                    + LIBRARY_PROPERTY;
            try {
                library = NativeBinding.open(NAME);
            } catch (UnsatisfiedLinkError e) {
                String why = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
                return NAME + " can't be loaded (" + why.strip() + ")" + remedy;
            }
            for (Method method : Librdmacm.class.getDeclaredMethods()) {
                if (method.getName().startsWith(PREFIX) && library.address(method.getName()) == 0) {
                    return NAME + " can't be used: it has no " + method.getName() + remedy;
                }
            }
            return null;
        }
    }

    /**
     * Loads the library unless it is loaded.
     *
     * @param verb the verb that needs it, for the message
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if it cannot be loaded
     */
    public static void require(String verb) {
        if (Binding.PROBLEM != null) {
            throw new VerbsException(Errno.EOPNOTSUPP, verb, Binding.PROBLEM);
        }
    }

    /** {@return whether the loaded library has a function; for functions newer than rdma-core 24} */
    public static boolean has(String name) {
        return Binding.PROBLEM == null && Binding.library.address(name) != 0;
    }

    /** {@code rdma_reject_ece}, from rdma-core 31; call only if {@link #has} reports it. */
    public static int rejectEce(long id, long privateData, int length) {
        return (int)
                NativeFunction.at(Binding.library.address("rdma_reject_ece")).call(id, privateData, length);
    }

    public static int rdma_accept(long id, long param) {
        return (int) Functions.RDMA_ACCEPT.get().call(id, param);
    }

    public static int rdma_ack_cm_event(long event) {
        return (int) Functions.RDMA_ACK_CM_EVENT.get().call(event);
    }

    public static int rdma_bind_addr(long id, long address) {
        return (int) Functions.RDMA_BIND_ADDR.get().call(id, address);
    }

    public static int rdma_connect(long id, long param) {
        return (int) Functions.RDMA_CONNECT.get().call(id, param);
    }

    /** {@return the channel, or 0 with errno set} */
    public static long rdma_create_event_channel() {
        return Functions.RDMA_CREATE_EVENT_CHANNEL.get().call(0);
    }

    public static int rdma_create_id(long channel, long idOut, long context, int portSpace) {
        return (int) Functions.RDMA_CREATE_ID.get().call(channel, idOut, context, portSpace);
    }

    public static void rdma_destroy_event_channel(long channel) {
        Functions.RDMA_DESTROY_EVENT_CHANNEL.get().call(channel);
    }

    /** Waits until all delivered events of the id are acknowledged. */
    public static int rdma_destroy_id(long id) {
        return (int) Functions.RDMA_DESTROY_ID.get().call(id);
    }

    public static int rdma_disconnect(long id) {
        return (int) Functions.RDMA_DISCONNECT.get().call(id);
    }

    public static int rdma_establish(long id) {
        return (int) Functions.RDMA_ESTABLISH.get().call(id);
    }

    public static int rdma_get_cm_event(long channel, long eventOut) {
        return (int) Functions.RDMA_GET_CM_EVENT.get().call(channel, eventOut);
    }

    public static int rdma_init_qp_attr(long id, long attr, long maskOut) {
        return (int) Functions.RDMA_INIT_QP_ATTR.get().call(id, attr, maskOut);
    }

    public static int rdma_join_multicast(long id, long address, long context) {
        return (int) Functions.RDMA_JOIN_MULTICAST.get().call(id, address, context);
    }

    /** Waits until all delivered events of the group are acknowledged. */
    public static int rdma_leave_multicast(long id, long address) {
        return (int) Functions.RDMA_LEAVE_MULTICAST.get().call(id, address);
    }

    public static int rdma_listen(long id, int backlog) {
        return (int) Functions.RDMA_LISTEN.get().call(id, backlog);
    }

    public static int rdma_notify(long id, int eventType) {
        return (int) Functions.RDMA_NOTIFY.get().call(id, eventType);
    }

    public static int rdma_reject(long id, long privateData, int length) {
        return (int) Functions.RDMA_REJECT.get().call(id, privateData, length);
    }

    public static int rdma_resolve_addr(long id, long source, long destination, int timeoutMillis) {
        return (int) Functions.RDMA_RESOLVE_ADDR.get().call(id, source, destination, timeoutMillis);
    }

    public static int rdma_resolve_route(long id, int timeoutMillis) {
        return (int) Functions.RDMA_RESOLVE_ROUTE.get().call(id, timeoutMillis);
    }

    public static int rdma_set_option(long id, int level, int option, long value, int length) {
        return (int) Functions.RDMA_SET_OPTION.get().call(id, level, option, value, length);
    }
}
