/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core;

import io.verbs4j.ContextOps;
import io.verbs4j.DeviceAttr;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.PortAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.VerbsException;
import java.util.List;
import java.util.function.Function;

/** The library's part of the verbs about the device, its ports and protection domains. */
final class ContextVerbs {
    private final ObjectState context;
    private final ProviderSide side;
    private final Handles handles;

    ContextVerbs(ObjectState context, ProviderSide side, Handles handles) {
        this.context = context;
        this.side = side;
        this.handles = handles;
    }

    int numCompVectors() {
        String verb = "num_comp_vectors";
        return call(verb, provider -> completionVectors(verb, provider));
    }

    void queryDevice(DeviceAttr attr) {
        String verb = "query_device";
        Arguments.notNull(verb, "attr", attr);
        context.use(verb, () -> side.run(verb, p -> p.queryDevice(attr)));
    }

    void queryPort(int portNum, PortAttr attr) {
        String verb = "query_port";
        Arguments.port(verb, "portNum", portNum);
        Arguments.notNull(verb, "attr", attr);
        context.use(verb, () -> side.run(verb, p -> p.queryPort(portNum, attr)));
    }

    Gid queryGid(int portNum, int index) {
        String verb = "query_gid";
        Arguments.port(verb, "portNum", portNum);
        Arguments.atLeast(verb, "index", index, 0);
        Gid gid = call(verb, p -> p.queryGid(portNum, index));
        if (gid == null) {
            throw side.broken(verb, "returned null");
        }
        return gid;
    }

    int queryPkey(int portNum, int index) {
        String verb = "query_pkey";
        Arguments.port(verb, "portNum", portNum);
        Arguments.atLeast(verb, "index", index, 0);
        int pkey = call(verb, p -> p.queryPkey(portNum, index));
        if (pkey < 0 || pkey > 0xffff) {
            throw side.broken(verb, "returned " + pkey + ", which is no P_Key");
        }
        return pkey;
    }

    ProtectionDomain allocPd() {
        ObjectState state = new ObjectState(context.owner(), Kind.PD, List.of(context));
        return handles.create("alloc_pd", state, ContextOps::allocPd, pd -> null);
    }

    void deallocPd(ProtectionDomain pd) {
        handles.destroy("dealloc_pd", "pd", pd, p -> p.deallocPd(pd));
    }

    /** The provider's own; the library looks at nothing but the type. */
    <T> T vendor(Class<T> type) {
        String verb = "vendor";
        Arguments.notNull(verb, "type", type);
        T own = call(verb, p -> p.vendor(type));
        if (own == null) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "the provider does not know the type " + type.getName() + "; take another device");
        }
        if (!type.isInstance(own)) {
            throw side.broken(verb, "answered with a " + own.getClass().getName() + " for " + type.getName());
        }
        return own;
    }

    void close() {
        String verb = "close_device";
        context.close(verb, () -> side.run(verb, ContextOps::close));
    }

    /** Asks the provider, within a call to it. */
    int completionVectors(String verb, ContextOps provider) {
        int vectors = provider.numCompVectors();
        if (vectors < 1) {
            throw side.broken(verb, "says that there are " + vectors + " completion vectors");
        }
        return vectors;
    }

    private <T> T call(String verb, Function<ContextOps, T> body) {
        return context.call(verb, () -> side.call(verb, body));
    }
}
