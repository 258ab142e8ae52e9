/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import io.verbs4j.ContextOps;
import io.verbs4j.DeviceAttr;
import io.verbs4j.Gid;
import io.verbs4j.PortAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.core.base.Arguments;
import java.util.List;

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
        context.enter(verb);
        try {
            return completionVectors(verb);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        } finally {
            context.leave();
        }
    }

    void queryDevice(DeviceAttr attr) {
        String verb = "query_device";
        Arguments.notNull(verb, "attr", attr);
        context.enter(verb);
        try {
            side.ops().queryDevice(attr);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        } finally {
            context.leave();
        }
    }

    void queryPort(int portNum, PortAttr attr) {
        String verb = "query_port";
        Arguments.port(verb, "portNum", portNum);
        Arguments.notNull(verb, "attr", attr);
        context.enter(verb);
        try {
            side.ops().queryPort(portNum, attr);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        } finally {
            context.leave();
        }
    }

    Gid queryGid(int portNum, int index) {
        String verb = "query_gid";
        Arguments.port(verb, "portNum", portNum);
        Arguments.atLeast(verb, "index", index, 0);
        Gid gid;
        context.enter(verb);
        try {
            gid = side.ops().queryGid(portNum, index);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        } finally {
            context.leave();
        }
        if (gid == null) {
            throw side.broken(verb, "returned null");
        }
        return gid;
    }

    int queryPkey(int portNum, int index) {
        String verb = "query_pkey";
        Arguments.port(verb, "portNum", portNum);
        Arguments.atLeast(verb, "index", index, 0);
        int pkey;
        context.enter(verb);
        try {
            pkey = side.ops().queryPkey(portNum, index);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        } finally {
            context.leave();
        }
        if (pkey < 0 || pkey > 0xffff) {
            throw side.broken(verb, "returned " + pkey + ", which is no P_Key");
        }
        return pkey;
    }

    ProtectionDomain allocPd() {
        String verb = "alloc_pd";
        Creation creation = handles.begin(verb, new ObjectState(context.owner(), Kind.PD, List.of(context)));
        try (creation) {
            return creation.done(creation.made(side.ops().allocPd()));
        } catch (Throwable t) {
            throw side.failed(verb, t);
        }
    }

    void deallocPd(ProtectionDomain pd) {
        handles.destroy("dealloc_pd", "pd", pd, p -> p.deallocPd(pd));
    }

    /** The provider's own; the library looks at nothing but the type. */
    <T> T vendor(Class<T> type) {
        String verb = "vendor";
        Arguments.notNull(verb, "type", type);
        T own;
        context.enter(verb);
        try {
            own = side.ops().vendor(type);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        } finally {
            context.leave();
        }
        if (own == null) {
            throw side.without(verb, "because it does not know the type " + type.getName());
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
    int completionVectors(String verb) {
        int vectors = side.ops().numCompVectors();
        if (vectors < 1) {
            throw side.broken(verb, "says that there are " + vectors + " completion vectors");
        }
        return vectors;
    }
}
