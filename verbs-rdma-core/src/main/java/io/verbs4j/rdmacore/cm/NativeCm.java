/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.cm;

import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.LinkLayer;
import io.verbs4j.VerbsException;
import io.verbs4j.cm.PortSpace;
import io.verbs4j.cm.spi.CmEndpoint;
import io.verbs4j.cm.spi.CmProvider;
import io.verbs4j.cm.spi.CmSink;
import io.verbs4j.rdmacore.call.Librdmacm;
import io.verbs4j.rdmacore.object.Children;
import java.util.Optional;
import java.util.function.Function;

/** The connection manager of an open native device: the kernel's, through librdmacm. */
public final class NativeCm implements CmProvider {
    private final Context context;
    private final String uverbsName;
    private final Function<String, Optional<String>> attributes;
    private final Children children;

    /**
     * Creates the connection manager of a device.
     *
     * @param context the open device
     * @param uverbsName name of the kernel's character device, by which ids are matched to the device
     * @param attributes returns the kernel's attributes of the device, by paths of files below its directory in sysfs
     * @param children counts the ids, which keep the context open
     */
    public NativeCm(
            Context context, String uverbsName, Function<String, Optional<String>> attributes, Children children) {
        this.context = context;
        this.uverbsName = uverbsName;
        this.attributes = attributes;
        this.children = children;
    }

    Children children() {
        return children;
    }

    Context context() {
        return context;
    }

    String uverbsName() {
        return uverbsName;
    }

    Function<String, Optional<String>> attributes() {
        return attributes;
    }

    @Override
    public boolean serves(Context other) {
        return other == context;
    }

    @Override
    public CmEndpoint create(Context on, int portSpace, CmSink sink) {
        String verb = "create_id";
        if (portSpace != PortSpace.TCP && portSpace != PortSpace.UDP) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "only port spaces TCP and UDP are supported, not " + PortSpace.toString(portSpace));
        }
        if (portSpace == PortSpace.UDP && hasFabric()) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "datagrams by address are supported only on Ethernet; they are untested on an InfiniBand fabric");
        }
        Librdmacm.require(verb);
        return children.make(verb, NativeEnd.KIND, () -> NativeEnd.create(this, portSpace, sink));
    }

    private boolean hasFabric() {
        int ports = context.queryDevice().physPortCnt();
        for (int port = 1; port <= ports; port++) {
            if (context.queryPort(port).linkLayer() == LinkLayer.INFINIBAND) {
                return true;
            }
        }
        return false;
    }
}
