/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.DeviceAttr;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.PortAttr;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.ContextFunctions;
import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.layout.DeviceAttrLayout;
import io.verbs4j.rdmacore.layout.ExtendedContextLayout;
import io.verbs4j.rdmacore.layout.PortAttrLayout;
import io.verbs4j.rdmacore.marshal.AhAttrs;
import io.verbs4j.rdmacore.marshal.DeviceAttrs;
import io.verbs4j.rdmacore.marshal.PortAttrs;

/** Implements the queries of level 1. */
final class QueryVerbs {
    private final long context;
    private final ContextFunctions functions;

    QueryVerbs(long context, ContextFunctions functions) {
        this.context = context;
        this.functions = functions;
    }

    void queryDevice(DeviceAttr attr) {
        try (Scratch c = new Scratch(DeviceAttrLayout.SIZEOF)) {
            Answers.check("query_device", Libibverbs.ibv_query_device(context, c.address()));
            DeviceAttrs.read(c.address(), attr);
        }
    }

    /**
     * Queries a port. In C {@code ibv_query_port} is a macro that calls the slot with the size of the structure; the
     * exported function fills only the fields of the first release.
     */
    void queryPort(int portNum, PortAttr attr) {
        checkPort("query_port", portNum);
        NativeFunction slot = functions.extended(ExtendedContextLayout.QUERY_PORT);
        try (Scratch c = new Scratch(PortAttrLayout.SIZEOF)) {
            long answer = slot != null
                    ? slot.call(context, portNum, c.address(), PortAttrLayout.SIZEOF)
                    : Libibverbs.ibv_query_port(context, portNum, c.address());
            int errno = Answers.errno(answer);
            if (errno == Errno.EINVAL) {
                throw new VerbsException(Errno.EINVAL, "query_port", "the device has no port " + portNum);
            }
            if (errno != 0) {
                throw Answers.failed("query_port", errno);
            }
            PortAttrs.read(c.address(), attr);
        }
    }

    private static void checkPort(String verb, int portNum) {
        if (portNum < 1 || portNum > 0xff) { // C takes 8 bits; a larger number would name another port
            throw new VerbsException(Errno.EINVAL, verb, "the device has no port " + portNum);
        }
    }

    Gid queryGid(int portNum, int index) {
        checkPort("query_gid", portNum);
        try (Scratch c = new Scratch(Gid.LENGTH)) {
            if (Libibverbs.ibv_query_gid(context, portNum, index, c.address()) != 0) {
                throw noEntry("query_gid", "GID", portNum, index);
            }
            return AhAttrs.readGid(c.address());
        }
    }

    int queryPkey(int portNum, int index) {
        checkPort("query_pkey", portNum);
        try (Scratch c = new Scratch(Short.BYTES)) {
            if (Libibverbs.ibv_query_pkey(context, portNum, index, c.address()) != 0) {
                throw noEntry("query_pkey", "P_Key", portNum, index);
            }
            return NativeMemory.getNetShort(c.address());
        }
    }

    /**
     * Describes a failed query. libibverbs reports only that it could not read the entry; an entry beyond the table is
     * a file that does not exist.
     */
    private static VerbsException noEntry(String verb, String table, int portNum, int index) {
        return new VerbsException(
                Errno.EINVAL,
                verb,
                "port " + portNum + " has no entry " + index + " in its " + table
                        + " table; query_port reports how many it has");
    }
}
